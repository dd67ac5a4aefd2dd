/**
 * Every error code the API answers, with its HTTP status, in one table: a code that is not here cannot be thrown.
 * A Refusal is an expected "no" to a caller; anything else that is thrown is a bug and answers internal_error.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_kyc: 400,
  invalid_cursor: 400,
  invalid_status: 400,
  invalid_return_url: 400,
  duplicate_target: 400,
  duplicate_external_ref: 400,
  invalid_disbursement_ids: 400,
  invalid_api_key: 401,
  stale_timestamp: 401,
  invalid_signature: 401,
  replayed_request: 401,
  invalid_operator_token: 401,
  insufficient_scope: 403,
  insufficient_role: 403,
  client_suspended: 403,
  not_found: 404,
  payee_not_found: 404,
  payout_not_found: 404,
  client_not_found: 404,
  key_not_found: 404,
  disbursement_not_found: 404,
  replacement_transaction_not_found: 404,
  event_not_found: 404,
  operator_not_found: 404,
  drift_not_found: 404,
  method_not_allowed: 405,
  account_already_linked: 409,
  payee_cooling_down: 409,
  payout_not_retryable: 409,
  payout_not_cancellable: 409,
  payout_not_releasable: 409,
  destination_fixed: 409,
  payee_not_checked: 409,
  payer_not_found: 409,
  withdrawals_disabled: 409,
  payee_not_payable: 409,
  nothing_to_withdraw: 409,
  below_minimum_withdrawal: 409,
  above_maximum_withdrawal: 409,
  withdrawal_frequency_limited: 409,
  replacement_transaction_not_active: 409,
  recovery_link_mismatch: 409,
  recovery_link_conflict: 409,
  recovery_link_amount_mismatch: 409,
  superseded_transaction_not_failed: 409,
  withdrawal_in_progress: 409,
  illegal_transition: 409,
  client_is_live: 409,
  name_taken: 409,
  event_not_replayable: 409,
  mail_not_found: 404,
  mail_not_sendable: 409,
  webhook_url_missing: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_conflict: 422,
  account_unverifiable: 422,
  destination_refused: 422,
  payee_email_missing: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface FieldError {
  path: string;
  message: string;
}

export interface ErrorDetails {
  fields?: FieldError[];
  indices?: number[];
}

const MISSING = '_not_found';

export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly details?: ErrorDetails,
  ) {
    super(message ?? wordsOf(code));
    this.name = 'Refusal';
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

export interface RateLimit {
  limit: number;
  /** Until there may be one more, at the latest. */
  resetSeconds: number;
}

/** One too many, of whatever is counted: the answer says until when. */
export class TooMany extends Refusal {
  constructor(
    message: string,
    readonly rateLimit: RateLimit,
  ) {
    super('rate_limited', message);
  }
}

/** The same words for what is missing and what belongs to somebody else. */
const wordsOf = (code: ErrorCode): string =>
  code.endsWith(MISSING) ? `There is no such ${code.slice(0, -MISSING.length).replaceAll('_', ' ')}.` : code;

/** Of a body that cannot be taken apart into fields. */
export function invalidBody(message: string): Refusal {
  return new Refusal('invalid_request', message, { fields: [{ path: '', message }] });
}

export function invalidField(path: string, message: string): Refusal {
  return new Refusal('invalid_request', 'The request is not valid; see details.fields.', {
    fields: [{ path, message }],
  });
}
