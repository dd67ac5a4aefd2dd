/** The codes with which one row of a list is refused, while the others go on. */
export const ROW_ERRORS = [
  'payee_target_missing',
  'payee_target_ambiguous',
  'payee_not_found',
  'invalid_amount',
  'invalid_currency',
  'invalid_email',
  'invalid_external_ref',
  'invalid_row',
  'idempotency_conflict',
  'insufficient_scope',
  'internal_error',
] as const;
export type RowError = (typeof ROW_ERRORS)[number];

/** A pushed row has no key to conflict with, and needs no other scope. */
export const PUSH_ERRORS = ROW_ERRORS.filter((code) => !['idempotency_conflict', 'insufficient_scope'].includes(code));
