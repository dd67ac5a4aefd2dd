/* eslint-disable max-lines -- printed */
/**
 * What callers send and read, and their routes. Printed from docs/openapi.json by `npm run docs`: change what that is
 * made from, and run it again.
 */

export interface Event {
  /** The eventId of its payload. */
  id: string;
  clientId: string;
  type: 'payee.updated' | 'payout.status';
  /** `skipped`: the client was not subscribed; it is recorded and not sent. */
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** Those made since it was made or replayed; 8 are made at most. */
  attempts: number;
  /** Null where none is due, and while the first one is under way. */
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  payload: Record<string, unknown>;
  createdAt: string;
}

export interface EventPage {
  data: Event[];
  /** Give it back as `cursor`; null on the last page. */
  nextCursor: string | null;
}

export interface EventAttempt {
  /** Counted on over replays. */
  number: number;
  startedAt: string;
  durationMs: number;
  /** Of the URL it went to; the rest of the URL is not kept. */
  host: string;
  /** Null where no answer came. */
  statusCode: number | null;
  /** Null where it was acknowledged. */
  error:
    | 'not_2xx'
    | 'timeout'
    | 'name_not_found'
    | 'connection_refused'
    | 'connection_lost'
    | 'unreachable'
    | 'tls'
    | 'bad_answer'
    | 'address_refused'
    | 'not_sent'
    | 'other'
    | null;
  /** The first 1,024 bytes of the answer. */
  responseExcerpt: string | null;
}

export interface EventDetail {
  /** The eventId of its payload. */
  id: string;
  clientId: string;
  type: 'payee.updated' | 'payout.status';
  /** `skipped`: the client was not subscribed; it is recorded and not sent. */
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** Those made since it was made or replayed; 8 are made at most. */
  attempts: number;
  /** Null where none is due, and while the first one is under way. */
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  payload: Record<string, unknown>;
  createdAt: string;
  /** The payout or payee it is about. */
  entityId: string;
  /** Rises with each event of the entity. */
  sequence: number;
  /** Why the last attempt failed. */
  lastError: string | null;
  deliveredAt: string | null;
  /** Newest first, at most 100. */
  attemptLog: EventAttempt[];
}

export interface WebhookTest {
  /** True when your receiver answered 2xx. */
  delivered: boolean;
  /** Also `webhook-id`. */
  eventId: string;
  /** Of your webhook URL. */
  host: string | null;
  /** Null where no answer came. */
  statusCode: number | null;
  durationMs: number;
  /** Null when it was delivered. */
  error:
    | 'not_2xx'
    | 'timeout'
    | 'name_not_found'
    | 'connection_refused'
    | 'connection_lost'
    | 'unreachable'
    | 'tls'
    | 'bad_answer'
    | 'address_refused'
    | 'not_sent'
    | 'other'
    | null;
  /** The same for people. */
  message: string | null;
  /** The first 1,024 bytes of the answer. */
  responseExcerpt: string | null;
}

export interface UpsertPayeeBody {
  /** The caller's own id; the key of the upsert. */
  externalId: string;
  email?: string | null;
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
  /** The legal name. */
  name?: string | null;
  /** The language of their pages and mails (BCP 47). */
  locale?: string | null;
  /** Up to 50 string values of the caller's, 32 KiB of JSON in all. */
  metadata?: Record<string, string> | null;
}

export interface Payee {
  id: string;
  /** The caller's own id. */
  externalId: string;
  email: string | null;
  /** The legal name. */
  name: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** The language of their pages and mails. */
  locale: string | null;
  /** True when the payee can be paid now. */
  payable: boolean;
  kycStatus: 'not_started' | 'pending' | 'verified' | 'rejected';
  /** Set only when kycStatus is `rejected`. */
  kycReason: string | null;
  onboardingStatus: 'not_started' | 'in_progress' | 'complete' | 'restricted';
  /** The rail the payee resolves to now. */
  provider: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export interface PayeePage {
  data: Payee[];
  /** Give it back as `cursor`; null on the last page. */
  nextCursor: string | null;
}

export interface AdoptMethodBody {
  /** A custodial rail. */
  provider: string;
  /** The account's id at the rail. */
  providerAccountId: string;
}

export interface AccountDetails {
  /** The bank, or the brand of a card or wallet. */
  brand: string | null;
  /** The end of the account's number. */
  last4: string | null;
  /** ISO 4217. */
  currency: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Its owner's, as the provider verified it. */
  name: string | null;
  /** When the rail said so last. */
  readAt: string;
}

export interface Method {
  id: string;
  payeeId: string;
  /** A custodial rail. */
  provider: string;
  /** The account's id at the rail. */
  providerAccountId: string;
  /** What the rail itself said. */
  payable: boolean;
  /** A payee has one active method. */
  status: 'active' | 'replaced';
  /** null if the rail does not tell what a person recognises the account by. Each field may be null as well. */
  details: AccountDetails | null;
  createdAt: string;
  updatedAt: string;
}

export interface Adoption {
  method: Method;
  payee: Payee;
}

export interface Readiness {
  payeeId: string;
  /** True only when there are no blockers. */
  payable: boolean;
  /** The rail that would pay. */
  provider: string | null;
  kycStatus: 'not_started' | 'pending' | 'verified' | 'rejected';
  /** Why not, in machine-readable words. */
  blockers: string[];
  checkedAt: string;
  /** The rail could not be asked; this is the last known state. */
  stale?: boolean;
}

export interface TestOnboardingBody {
  outcome: 'verified' | 'pending' | 'rejected';
  /** Becomes kycReason of a rejected payee. */
  reason?: string;
}

export interface Wallet {
  /** ISO 4217. */
  currency: string;
  /** Deposits and adjustments. */
  depositedCents: number;
  /** Requested, authorized or submitted. */
  inFlightCents: number;
  /** Paid. */
  paidCents: number;
  /** What payouts can still draw on: lifting fees of returns are taken off too. */
  availableCents: number;
}

export interface BatchItem {
  /** Exactly one of payeeId and email. */
  payeeId?: string | null;
  /** The oldest payee with this address, or a new one. Needs `payees:write`. */
  email?: string | null;
  /** Integer minor units of the currency. */
  amountCents: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** The caller's reference. */
  ref?: string | null;
  /** Default: follows from the batch key and the payee. */
  idempotencyKey?: string | null;
  /** Why it is paid; in test mode a directive. */
  reason?: string | null;
  /** Up to 50 string values of the caller's, 32 KiB of JSON in all. */
  metadata?: Record<string, string> | null;
}

export interface CreateBatchBody {
  /** The batch key. */
  idempotencyKey: string;
  items: BatchItem[];
}

export interface Transaction {
  id: string;
  /** What it came from. */
  source: 'payout' | 'batch' | 'withdraw' | 'portal' | 'auto_release';
  payeeId: string;
  /** One payout per key, for ever. */
  idempotencyKey: string;
  /** Minor units of the currency. */
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** Words of the client's status version. */
  status:
    'requested' | 'authorized' | 'submitted' | 'held' | 'failed' | 'paid' | 'returned' | 'sent' | 'awaiting_withdraw';
  /** The rail; null before routing. */
  provider: string | null;
  /** The rail's own payment id. */
  providerRef: string | null;
  /** As the caller gave it. */
  reason: string | null;
  /** The caller's reference. */
  ref: string | null;
  /** Set while the payout is held or failed. */
  failureKind: 'transient' | 'permanent' | null;
  /** True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere. */
  retryable: boolean;
  /** The bounce fee of a returned payout. */
  liftingFeeCents: number;
  /** Always null here; delivered webhooks carry it. */
  claimUrl: string | null;
  /** When the money arrived; null where the rail only says that it left. */
  settledAt: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export interface BatchRow {
  /** The place of the row in the request. */
  index: number;
  status: 'ok' | 'error';
  /** On ok; may itself be held. */
  transaction?: Transaction;
  /** On ok: the row was paid by an earlier call. */
  idempotentReplay?: boolean;
  /** On error. */
  error?:
    | 'payee_target_missing'
    | 'payee_target_ambiguous'
    | 'payee_not_found'
    | 'invalid_amount'
    | 'invalid_currency'
    | 'invalid_email'
    | 'invalid_external_ref'
    | 'invalid_row'
    | 'idempotency_conflict'
    | 'insufficient_scope'
    | 'internal_error';
  /** On error, in words that may change. */
  message?: string;
}

export interface Batch {
  /** One for each row, in order. */
  results: BatchRow[];
}

export interface CreatePayoutBody {
  /** Where the money goes follows from the payee. */
  payeeId: string;
  /** Integer minor units of the currency. */
  amountCents: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** One payout per key, for ever. */
  idempotencyKey: string;
  /** The caller's reference. */
  ref?: string | null;
  /** Why it is paid; in test mode a directive. */
  reason?: string | null;
  /** Up to 50 string values of the caller's, 32 KiB of JSON in all. */
  metadata?: Record<string, string> | null;
}

export interface ListedTransaction {
  id: string;
  /** What it came from. */
  source: 'payout' | 'batch' | 'withdraw' | 'portal' | 'auto_release';
  payeeId: string;
  /** One payout per key, for ever. */
  idempotencyKey: string;
  /** Minor units of the currency. */
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** Words of the client's status version. */
  status:
    'requested' | 'authorized' | 'submitted' | 'held' | 'failed' | 'paid' | 'returned' | 'sent' | 'awaiting_withdraw';
  /** The rail; null before routing. */
  provider: string | null;
  /** The rail's own payment id. */
  providerRef: string | null;
  /** As the caller gave it. */
  reason: string | null;
  /** The caller's reference. */
  ref: string | null;
  /** Set while the payout is held or failed. */
  failureKind: 'transient' | 'permanent' | null;
  /** True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere. */
  retryable: boolean;
  /** The bounce fee of a returned payout. */
  liftingFeeCents: number;
  /** Always null here; delivered webhooks carry it. */
  claimUrl: string | null;
  /** When the money arrived; null where the rail only says that it left. */
  settledAt: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
  /** Why it is held or failed: `code`, or `code: detail`. */
  statusReason: string | null;
}

export interface TransactionPage {
  data: ListedTransaction[];
  /** The createdAt of the last row; give it back as `cursor`. Null on the last page. */
  nextCursor: string | null;
  /** Skips no row; give it back as `cursor2`. */
  nextCursor2: string | null;
}

export interface Trail {
  id: string;
  /** The step that was taken. */
  type: string;
  /** Null where the trail begins. */
  fromStatus:
    | 'requested'
    | 'authorized'
    | 'submitted'
    | 'held'
    | 'failed'
    | 'paid'
    | 'returned'
    | 'sent'
    | 'awaiting_withdraw'
    | null;
  toStatus:
    'requested' | 'authorized' | 'submitted' | 'held' | 'failed' | 'paid' | 'returned' | 'sent' | 'awaiting_withdraw';
  /** Why it was held or failed. */
  statusReason: string | null;
  failureKind: 'transient' | 'permanent' | null;
  /** Who brought the step about. */
  actor: 'client' | 'payee' | 'operator' | 'system' | 'rail';
  createdAt: string;
}

export interface TransactionDetail {
  id: string;
  /** What it came from. */
  source: 'payout' | 'batch' | 'withdraw' | 'portal' | 'auto_release';
  payeeId: string;
  /** One payout per key, for ever. */
  idempotencyKey: string;
  /** Minor units of the currency. */
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** Words of the client's status version. */
  status:
    'requested' | 'authorized' | 'submitted' | 'held' | 'failed' | 'paid' | 'returned' | 'sent' | 'awaiting_withdraw';
  /** The rail; null before routing. */
  provider: string | null;
  /** The rail's own payment id. */
  providerRef: string | null;
  /** As the caller gave it. */
  reason: string | null;
  /** The caller's reference. */
  ref: string | null;
  /** Set while the payout is held or failed. */
  failureKind: 'transient' | 'permanent' | null;
  /** True only for a failed payout with a transient cause, whose owed rows, if any, did not go elsewhere. */
  retryable: boolean;
  /** The bounce fee of a returned payout. */
  liftingFeeCents: number;
  /** Always null here; delivered webhooks carry it. */
  claimUrl: string | null;
  /** When the money arrived; null where the rail only says that it left. */
  settledAt: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
  /** `code`, or `code: detail`; see the reasons in the docs. */
  statusReason: string | null;
  /** The event trail, oldest first: the first 20 and the newest 180 steps. */
  events: Trail[];
  /** How many steps between those are left out of `events`. */
  eventsLeftOut: number;
}

export interface ClaimPayoutBody {
  /** Where the payee of `mock:swap` wants the money; some address if left out. */
  destination?: string;
}

export interface FailPayoutBody {
  /** A transient failure can be retried. */
  kind: 'transient' | 'permanent';
}

export interface ReturnPayoutBody {
  /** Default 0. */
  liftingFeeCents?: number;
}

export interface AdvanceClockBody {
  /** How much time passes; a year at most, and in all until the client itself would be older than 1970. */
  advanceSeconds: number;
}

export interface ClockRan {
  /** Payouts that are sent, or that the rail is asked about, from now on. */
  railQuestions: number;
  /** Payouts that are tried again from now on. */
  retries: number;
  /** Deliveries of events that are made, or tried again, from now on. */
  webhooks: number;
  /** Mails that are tried again from now on. */
  mails: number;
  /** Other work that begins now. */
  others: number;
  /** Payouts that waited for another day, and were released before the answer. */
  released: number;
}

export interface Clock {
  /** The real time: requests are dated and signed as ever. */
  now: string;
  /** What came due. */
  ran: ClockRan;
}

export interface PushItem {
  /** Exactly one of payeeId and email. */
  payeeId?: string | null;
  /** The oldest payee with this address, or a new one. */
  email?: string | null;
  /** Integer minor units of the currency. */
  amountCents: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** The caller's ledger id; one row per reference, for ever. `return:` begins those of the service. */
  externalRef: string;
  /** Becomes the legal name of a payee that has none. */
  name?: string | null;
  /** What it is owed for. It becomes that of the payout where all of its rows share it; in test mode a directive. */
  reason?: string | null;
}

export interface PushDisbursementsBody {
  items: PushItem[];
  /** Tell each payee with an address what is new. Default false. */
  sendEmail?: boolean;
}

export interface Disbursement {
  id: string;
  payeeId: string;
  /** The payee's address. */
  email: string | null;
  /** Minor units of the currency. */
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** Follows the payout it is on. */
  status: 'owed' | 'released' | 'paid' | 'returned';
  /** The caller's ledger id. */
  externalRef: string;
  /** The payout it is on now, or was on last. */
  transactionId: string | null;
  reason: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface PushedRow {
  /** The place of the row in the request. */
  index: number;
  status: 'ok' | 'error';
  /** On ok. */
  disbursement?: Disbursement;
  /** On ok: the row was there already, whatever this one says; compare it. */
  idempotentReplay?: boolean;
  /** On error. */
  error?:
    | 'payee_target_missing'
    | 'payee_target_ambiguous'
    | 'payee_not_found'
    | 'invalid_amount'
    | 'invalid_currency'
    | 'invalid_email'
    | 'invalid_external_ref'
    | 'invalid_row'
    | 'internal_error';
  /** On error, in words that may change. */
  message?: string;
}

export interface Push {
  /** One for each row, in order. */
  results: PushedRow[];
}

export interface DisbursementPage {
  data: Disbursement[];
  /** Give it back as `cursor`; null on the last page. */
  nextCursor: string | null;
}

export interface RecoveryLinkBody {
  /** The payout that moved the money. */
  replacementTransactionId: string;
  /** The rows it paid. */
  disbursementIds: string[];
}

export interface RecoveryLink {
  replacementTransactionId: string;
  /** How many rows this call linked. */
  linked: number;
  disbursementIds: string[];
  /** The rows were linked to this payout already. */
  idempotentReplay: boolean;
}

export interface Balance {
  /** Owed, and not released yet. */
  withdrawableCents: number;
  /** On its way to the payee. */
  onTheWayCents: number;
  /** Waits for the payee to claim or withdraw it. */
  actionNeededCents: number;
  /** All that ever arrived, and was not sent back. */
  landedCents: number;
  /** Held only because it is under the rail's floor. */
  heldBelowMinimumCents: number;
  /** The floor that the held money must reach. */
  minPayoutCents: number;
  /** The rail the payee resolves to now. */
  provider: string | null;
  /** The currency of all amounts here. */
  currency: string;
}

export interface Withdraw {
  /** Owed rows that are on a payout under way, or paid. */
  released: number;
  /** What those rows come to, in minor units of each currency, added up. */
  releasedCents: number;
  /** Rows left owed: the client's wallet does not cover them. */
  awaitingFunding: number;
  /** Rows on a payout that is held. */
  held: number;
  /** Rows whose payout failed; they are owed again. */
  failed: number;
  /** Where the payee claims the money, on a rail with claim links. */
  payoutLink?: string;
}

export interface OnboardingLinkBody {
  /** Where the page sends the payee back to: an https address on the host of your webhook URL, or on this service. */
  returnUrl: string;
  /** `iframe`: the page may be shown in a frame by the site of your webhook URL. `redirect`, the default: by none. */
  mode?: 'redirect' | 'iframe';
}

export interface OnboardingLink {
  /** A page of this service. Whoever has the link needs no log-in. */
  url: string;
  /** The rail; null if none serves the payee. */
  provider: string | null;
  mode: 'redirect' | 'iframe';
  /** 15 minutes after it was made. */
  expiresAt: string;
}

export interface PortalLink {
  /** The mail is on its way to the payee. */
  sent: boolean;
  /** Until then the link opens the wallet, once. */
  expiresAt: string;
}

export interface Key {
  id: string;
  /** The beginning of the key. */
  hint: string;
  expiresAt: string | null;
  revokedAt: string | null;
  createdAt: string;
}

export interface OverlapBody {
  /** How long the old one works on. Default 0. */
  overlapSeconds?: number;
}

export interface IssuedKey {
  keyId: string;
  /** Shown this once. */
  apiKey: string;
}

export interface Webhook {
  url: string | null;
  eventTypes: string[];
}

export interface WebhookBody {
  /** Where events are sent; null: nowhere. Left out, it stays. */
  url?: string | null;
  /** What is told. Left out, it stays. */
  eventTypes?: ('payee.updated' | 'payout.status')[];
}

export interface OwnKey {
  id: string;
  /** The beginning of the key. */
  hint: string;
  expiresAt: string | null;
  revokedAt: string | null;
  createdAt: string;
  /** The key that signed this request. */
  inUse: boolean;
}

export interface OwnKeys {
  data: OwnKey[];
  nextCursor: string | null;
}

/** A payee's onboarding state changed. The latest state wins. */
export interface PayeeUpdatedEvent {
  /** The same over all attempts and replays. */
  eventId: string;
  /** Rises with each event of the payout or payee. */
  sequence: number;
  /** When it happened. */
  occurredAt: string;
  type: 'payee.updated';
  /** The payee's id in your system. */
  externalId: string;
  payeeId: string;
  /** True when the payee can be paid now. */
  payable: boolean;
  kycStatus: 'not_started' | 'pending' | 'verified' | 'rejected';
  /** Set only when kycStatus is `rejected` and the provider gave a reason. */
  kycReason: string | null;
}

/** A payout as it stood right after a change of its state. */
export interface PayoutStatusEvent {
  /** The same over all attempts and replays. */
  eventId: string;
  /** Rises with each event of the payout or payee. */
  sequence: number;
  /** When it happened. */
  occurredAt: string;
  type: 'payout.status';
  /** Joins the events of one payout. */
  transactionId: string;
  /** Null for consolidated withdrawals. */
  ref: string | null;
  /** In the words of the client's status version. */
  status:
    'requested' | 'authorized' | 'submitted' | 'held' | 'failed' | 'paid' | 'returned' | 'sent' | 'awaiting_withdraw';
  /** Null until the rail accepts. */
  providerRef: string | null;
  /** The payee's id in your system. */
  externalId: string;
  payeeId: string;
  /** Minor units. */
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** The rail; null before routing. */
  provider: string | null;
  /** Show it to the payee: there is something to claim. */
  claimUrl: string | null;
  /** Set on `held` and `failed`. */
  failureKind: 'transient' | 'permanent' | null;
  /** When the money arrived; null where nobody says. */
  settledAt: string | null;
  /** On `returned` only: what the bounce cost. */
  liftingFeeCents?: number;
  /** On `returned` only: what comes back to the payee. */
  restoredCents?: number;
}

export interface ErrorDetailsFields {
  path: string;
  message: string;
}

export interface ErrorDetails {
  /** With `invalid_request`: what is wrong where. */
  fields?: ErrorDetailsFields[];
  /** The rows that collide. */
  indices?: number[];
}

export interface ErrorBody {
  /** The only thing to branch on. */
  error:
    | 'invalid_request'
    | 'invalid_kyc'
    | 'invalid_cursor'
    | 'invalid_status'
    | 'invalid_return_url'
    | 'duplicate_target'
    | 'duplicate_external_ref'
    | 'invalid_disbursement_ids'
    | 'invalid_api_key'
    | 'stale_timestamp'
    | 'invalid_signature'
    | 'replayed_request'
    | 'invalid_operator_token'
    | 'insufficient_scope'
    | 'insufficient_role'
    | 'client_suspended'
    | 'not_found'
    | 'payee_not_found'
    | 'payout_not_found'
    | 'client_not_found'
    | 'key_not_found'
    | 'disbursement_not_found'
    | 'replacement_transaction_not_found'
    | 'event_not_found'
    | 'operator_not_found'
    | 'drift_not_found'
    | 'method_not_allowed'
    | 'account_already_linked'
    | 'payee_cooling_down'
    | 'payout_not_retryable'
    | 'payout_not_cancellable'
    | 'payout_not_releasable'
    | 'destination_fixed'
    | 'payee_not_checked'
    | 'payer_not_found'
    | 'withdrawals_disabled'
    | 'payee_not_payable'
    | 'nothing_to_withdraw'
    | 'below_minimum_withdrawal'
    | 'above_maximum_withdrawal'
    | 'withdrawal_frequency_limited'
    | 'replacement_transaction_not_active'
    | 'recovery_link_mismatch'
    | 'recovery_link_conflict'
    | 'recovery_link_amount_mismatch'
    | 'superseded_transaction_not_failed'
    | 'withdrawal_in_progress'
    | 'illegal_transition'
    | 'client_is_live'
    | 'name_taken'
    | 'event_not_replayable'
    | 'mail_not_found'
    | 'mail_not_sendable'
    | 'webhook_url_missing'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'idempotency_conflict'
    | 'account_unverifiable'
    | 'destination_refused'
    | 'payee_email_missing'
    | 'rate_limited'
    | 'internal_error'
    | 'service_unavailable';
  /** For people; it may change at any time. */
  message?: string;
  details?: ErrorDetails;
}

/** Of `GET /events`. */
export interface ListEventsQuery {
  limit?: number;
  /** nextCursor of the page before. */
  cursor?: string;
  type?: 'payee.updated' | 'payout.status';
  status?: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** The payout that events are about. */
  transactionId?: string;
  /** The payee that events are about; not those about its payouts. */
  payeeId?: string;
  /** Made then or later. */
  createdFrom?: string;
  /** Made before then. */
  createdTo?: string;
}

/** Of `GET /payees`. */
export interface ListPayeesQuery {
  limit?: number;
  /** nextCursor of the page before. */
  cursor?: string;
  kyc?: 'not_started' | 'pending' | 'verified' | 'rejected';
  /** `true` or `false`; anything else is ignored. */
  payable?: string;
  /** Exact. */
  email?: string;
  /** Exact. */
  externalId?: string;
}

/** Of `GET /payouts`. */
export interface ListPayoutsQuery {
  limit?: number;
  /** nextCursor of the page before. Rows of the very same instant may be skipped. */
  cursor?: string;
  /** nextCursor2 of the page before. Skips nothing. */
  cursor2?: string;
  /** A word of version 1, whatever the client's version. */
  status?: 'requested' | 'authorized' | 'submitted' | 'held' | 'failed' | 'paid' | 'returned';
  payeeId?: string;
  /** Exact. */
  ref?: string;
  /** A rail. */
  provider?: string;
  /** Created then or later. */
  createdFrom?: string;
  /** Created before then. */
  createdTo?: string;
}

/** Of `GET /disbursements`. */
export interface ListDisbursementsQuery {
  limit?: number;
  /** nextCursor of the page before. */
  cursor?: string;
  status?: 'owed' | 'released' | 'paid' | 'returned';
  payeeId?: string;
  /** Exact. */
  externalRef?: string;
  /** The payout that rows are on now, or were on last. */
  transactionId?: string;
}

/** Of `GET /payees/{id}/balance`. */
export interface BalanceOwedPayeeQuery {
  /** Default: the currency of the payee's newest movement, or the client's default. */
  currency?: string;
}

/** What `webhook.test()` sends. Acknowledge it and leave it at that. */
export interface PingEvent {
  eventId: string;
  /** Always 0: a ping is about no payout and no payee. */
  sequence: number;
  occurredAt: string;
  type: 'ping';
}

/** In truth any other word. An enum of its own, and not `string`, as TypeScript would narrow nothing by that. */
declare enum TypeToCome {
  any = 'of a type to come',
}

/** An event of a type that this version does not know. Acknowledge it and leave it aside. */
export interface UnknownEvent {
  eventId: string;
  sequence: number;
  occurredAt: string;
  type: TypeToCome;
}

/** What a webhook brings. Go by `type`, and leave aside what is none of those you handle. */
export type GatewayEvent = PayeeUpdatedEvent | PayoutStatusEvent | PingEvent | UnknownEvent;

export type ErrorCode = ErrorBody['error'];

/** By method and path after /api/v1: what is sent, and what an answer that is a success holds. */

export interface Routes {
  /** List events, newest first */
  'GET /events': { query: ListEventsQuery; answer: EventPage };
  /** Read an event, with each attempt to deliver it */
  'GET /events/{id}': { answer: EventDetail };
  /** Send an event once more */
  'POST /events/{id}/replay': { answer: Event };
  /** Send a signed ping to your webhook URL */
  'POST /webhook-test': { answer: WebhookTest };
  /** Create a payee, or change the one with this externalId */
  'POST /payees': { body: UpsertPayeeBody; answer: Payee };
  /** List payees, newest first */
  'GET /payees': { query: ListPayeesQuery; answer: PayeePage };
  /** Read a payee */
  'GET /payees/{id}': { answer: Payee };
  /** Adopt a verified rail account as the payee's method */
  'POST /payees/{id}/methods': { body: AdoptMethodBody; answer: Adoption };
  /** Whether the payee can be paid now, and if not, why */
  'GET /payees/{id}/readiness': { answer: Readiness };
  /** Finish a payee's onboarding with this outcome */
  'POST /test/payees/{id}/onboarding': { body: TestOnboardingBody; answer: Payee };
  /** What a prepaid client has left, by currency */
  'GET /wallet': { answer: Wallet[] };
  /** Pay many payees */
  'POST /payouts/batch': { body: CreateBatchBody; answer: Batch };
  /** Pay a payee */
  'POST /payouts': { body: CreatePayoutBody; answer: Transaction };
  /** List payouts, newest first */
  'GET /payouts': { query: ListPayoutsQuery; answer: TransactionPage };
  /** Read a payout with its reason and its event trail */
  'GET /payouts/{id}': { answer: TransactionDetail };
  /** Put a held payout to its gates again */
  'POST /payouts/{id}/release': { answer: Transaction };
  /** Try a payout again that failed for a passing cause */
  'POST /payouts/{id}/retry': { answer: Transaction };
  /** Take back a payout that has not left */
  'POST /payouts/{id}/cancel': { answer: Transaction };
  /** Claim a payout that waits for its payee */
  'POST /test/payouts/{id}/claim': { body: ClaimPayoutBody; answer: Transaction };
  /** Settle a submitted payout */
  'POST /test/payouts/{id}/settle': { answer: Transaction };
  /** Fail a submitted payout */
  'POST /test/payouts/{id}/fail': { body: FailPayoutBody; answer: Transaction };
  /** Send a paid payout back */
  'POST /test/payouts/{id}/return': { body: ReturnPayoutBody; answer: Transaction };
  /** Let time pass */
  'POST /test/clock': { body: AdvanceClockBody; answer: Clock };
  /** Push what is owed */
  'POST /disbursements': { body: PushDisbursementsBody; answer: Push };
  /** List owed rows, newest first */
  'GET /disbursements': { query: ListDisbursementsQuery; answer: DisbursementPage };
  /** Read an owed row */
  'GET /disbursements/{id}': { answer: Disbursement };
  /** Attach rows of a failed payout to the payout that replaced it */
  'POST /disbursements/recovery-link': { body: RecoveryLinkBody; answer: RecoveryLink };
  /** What a payee's money comes to */
  'GET /payees/{id}/balance': { query: BalanceOwedPayeeQuery; answer: Balance };
  /** Release everything a payee is owed */
  'POST /payees/{id}/withdraw': { answer: Withdraw };
  /** Make a link to the page on which a payee gets ready to be paid */
  'POST /payees/{id}/onboarding-link': { body: OnboardingLinkBody; answer: OnboardingLink };
  /** Mail a payee a link into their wallet */
  'POST /payees/{id}/portal-link': { answer: PortalLink };
  /** Read where your events are sent */
  'GET /webhook': { answer: Webhook };
  /** Change where your events are sent */
  'PUT /webhook': { body: WebhookBody; answer: Webhook };
  /** List your API keys, without the keys themselves */
  'GET /keys': { answer: OwnKeys };
  /** Make a new API key; the old ones work until the overlap ends */
  'POST /keys': { body: OverlapBody; answer: IssuedKey };
  /** Revoke one of your API keys at once */
  'DELETE /keys/{id}': { answer: Key };
}
