export type { Clock, Custody, FailureKind, KycStatus, OnboardingStatus } from '#libs/domain';
export { minorUnitDigits } from '#libs/domain';
export { defineRail, type RailContext, type RailDefinition, type RailLog, type RailSetting } from './define-rail';
export type {
  Accepted,
  AccountFact,
  AwaitingPayee,
  Bounced,
  Claimed,
  Echo,
  LookupFact,
  NeverSeen,
  OutcomeFact,
  Refused,
  Settled,
  SubmitFact,
  Unknown,
} from './facts';
export {
  type ListsMovements,
  listsMovements,
  type NoticeReading,
  type OpensAccounts,
  opensAccounts,
  type Rail,
  type RailCall,
  type RailFunds,
  type RailMovement,
  type RailOrder,
  type RailPayee,
  type ReadsNotices,
  readsNotices,
  type ReportsFunding,
  reportsFunding,
  type TakesDirection,
  takesDirection,
} from './rail';
export { PUBLISHED_CUSTODIAL_RAILS, PUBLISHED_RAILS, TEST_RAIL } from './published-rails';
export type { RailRecord, RailStore } from './rail-store';
export { type Directive, directiveComplaint, directiveOf, DIRECTIVES, holdAskedFor } from './test-directives';
export { type RailTraits, RELEASE_TIMINGS, type ReleaseTiming, servesCountry, servesCurrency } from './traits';
