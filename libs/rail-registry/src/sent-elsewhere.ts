/** Until every process knows of another account, some go on with the one before; and what that one said no to counts for ten seconds. */
export const SENT_MEANWHILE_SECONDS = 15;

/**
 * Of a row of `payouts` and the one of `rail_accounts` of its rail: whether it was first sent with another account than the one that is bound now.
 * What was sent before that was noted, or before its rail was bound at all, was sent with the first account; with an earlier one if versions that
 * noted nothing bound several, which only the times tell.
 */
export const SENT_ELSEWHERE = `CASE
  WHEN payouts.sent_with IS NOT NULL THEN payouts.sent_with <> rail_accounts.mode || ' ' || rail_accounts.account
  WHEN coalesce(payouts.code_since, payouts.submitted_at) >= rail_accounts.first_since
    THEN rail_accounts.first_with <> rail_accounts.mode || ' ' || rail_accounts.account
  ELSE rail_accounts.rebound_at > coalesce(payouts.code_since, payouts.submitted_at) END`;
