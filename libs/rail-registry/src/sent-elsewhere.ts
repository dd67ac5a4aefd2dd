/** Until every process knows of another account, some go on with the one before; and what that one said no to counts for ten seconds. */
export const SENT_MEANWHILE_SECONDS = 15;

/**
 * Of a row of `payouts` and the one of `rail_accounts` of its rail: whether it was first sent with another account than the one that is bound now.
 * Of what versions sent that did not note it only the times tell.
 */
export const SENT_ELSEWHERE = `CASE WHEN payouts.sent_with IS NULL
  THEN rail_accounts.rebound_at > coalesce(payouts.code_since, payouts.submitted_at)
  ELSE payouts.sent_with <> rail_accounts.mode || ' ' || rail_accounts.account END`;
