/**
 * `CoolDown.isRedirected` for statements that choose among very many: those that cool down are not even looked at. `payees` and `clients` are
 * rows of the statement, and the rails are those that pay to an address (`CoolDown.railsByAddress`).
 */

export const DEFAULT_SECONDS = 24 * 60 * 60;

export const redirected = (railsByAddress: string): string => `
  coalesce(payees.provider = ANY(${railsByAddress}::text[]) AND payees.email_changed_at > now() - interval '1 second'
    * coalesce(clients.cool_down_seconds, CASE WHEN clients.test_mode THEN 0 ELSE ${DEFAULT_SECONDS} END), false)`;
