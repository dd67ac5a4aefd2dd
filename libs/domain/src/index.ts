export { MAX_AMOUNT_CENTS, MIN_AMOUNT_CENTS } from './amounts';
export { type Backoff, backoffSeconds } from './backoff';
export { type Clock, systemClock, unixSeconds } from './clock';
export { COUNTRIES } from './countries';
export { digest, isWellFormedToken, newSigningSecret, newToken, type TokenKind, tokenHint } from './credentials';
export { CURRENCIES, minorUnitDigits } from './currencies';
export { deadlineIn } from './deadline';
export { decodeCursor, encodeCursor, type ListPlace, type PageRow } from './cursor';
export {
  ERROR_STATUS,
  type ErrorCode,
  type ErrorDetails,
  type FieldError,
  invalidBody,
  invalidField,
  type RateLimit,
  Refusal,
  TooMany,
} from './errors';
export { canonicalId, newId } from './ids';
export {
  type AmountGates,
  amountBlocker,
  type Blocker,
  firstBlocker,
  type GatePayee,
  type GateRail,
  identityBlockers,
  isOverDailyCap,
  type WhoGates,
} from './payout/gates';
export {
  AUTO_RELEASED,
  type AutoReleased,
  isHolding,
  type KnownReason,
  noticeOf,
  notImplemented,
  type PayeeNotice,
  type Reason,
  type ReasonCode,
  reasonCodeOf,
  REASONS,
  statusReason,
} from './payout/reasons';
export { isOurPage, OUR_PAGE } from './payout/our-page';
export { allowed, type RouteFacts, routeTo } from './payout/route';
export {
  awaitsPayee,
  type Custody,
  STATUS_VERSIONS,
  type StatusVersion,
  statusWord,
  type StatusWord,
} from './payout/status-words';
export { DISBURSEMENT_STATUSES, type DisbursementStatus, rowStatusOf } from './disbursement-states';
export {
  FAILURE_KINDS,
  type FailureKind,
  IllegalTransition,
  isFinal,
  nextStatus,
  PAYOUT_STATUSES,
  type PayoutStatus,
  type PayoutTrigger,
  TRANSITIONS,
} from './payout/transitions';
export { KYC_STATUSES, kycPath, type KycStatus, ONBOARDING_STATUSES, type OnboardingStatus } from './payee-states';
export { PUSH_ERRORS, ROW_ERRORS, type RowError } from './row-errors';
export { SecretBox, UnknownMasterKey } from './secret-box';
export { DEFAULT_SCOPES, EVENT_TYPES, type EventType, holdsScope, type Scope, SCOPES } from './scopes';
export {
  insideWindow,
  isNonce,
  parseSignature,
  parseTimestamp,
  sameBytes,
  type SignedRequest,
  signV1,
  signV2,
  WINDOW_SECONDS,
} from './signature';
export { SECRET_PREFIX, standardWebhookSignature } from './standard-webhook';
