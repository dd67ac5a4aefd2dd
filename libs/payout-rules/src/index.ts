export { saysNothingNew, secondsToAskAgain } from './asked-again';
export {
  isAsAsked,
  isCodeHonoured,
  isForItsOwnJob,
  isOpen,
  mayBeOfAnEarlierAttempt,
  secondsUntilOver,
  turnOf,
  underWay,
  withAttempt,
} from './attempts';
export { ambiguousTargets, isKnownTarget, keyOfRow } from './batch-rows';
export {
  begun,
  destinationOf,
  isAskedAgain,
  legForPayee,
  nameOfAsking,
  refusalToPayee,
  unbegun,
  unbegunByAnother,
} from './begun-legs';
export { concernsPayee, waitsForPayee } from './claim-link';
export {
  bothClear,
  type Clearance,
  type Cleared,
  type Decided,
  type EarlierAnswer,
  isDecided,
  isFree,
  isOldClearance,
  isSilence,
  isSilent,
  leftOut,
  NOT_CLEAR,
  NOTHING_TO_ASK,
  type Said,
  tellsNothing,
} from './cleared';
export { answerOf, isUntold, isWord } from './earlier-answer';
export { type Asked, isAtItsFirstCall, isKeptBack, whyNothingMoves } from './rail-question';
export { orderTo } from './rail-order';
export { handedTo, type Report } from './rail-report';
export { firstCallBlocker, hasUnreadAccount, isAtItsRail, keptBack, LOST_PROVIDER } from './first-call';
export {
  asManyAsGo,
  centsOf,
  type FloorGroup,
  type FloorSum,
  groupNow,
  groupOf,
  ofWholeGroups,
  reachingFloor,
  waitsForFloor,
} from './floor-groups';
export { blockedStep, submission } from './gate-steps';
export { type Finding, FINDINGS, foundOut } from './found-out';
export { cancelled, givenUp, isCancelled, isPaidAfterAll, refuseIfTriedSince, stopped } from './given-up';
export { goesOnByItself, hasRested, HELD_IN_DISPUTE, IN_DISPUTE, isPastFloor, wentOn } from './goes-on';
export { isBegunTo, isBlocked, refuseBlocked, refuseUnlessItsPayees } from './may-begin';
export { heldByTest, TEST_HOLD, waitsForTest } from './held-by-test';
export {
  type BatchedRow,
  batchRailKeyOf,
  consolidatedRailKeyOf,
  fingerprintOf,
  fingerprintOfRows,
  type PaymentWish,
  railKeyOf,
  type RowsOfCode,
} from './idempotency';
export {
  asksFor,
  currentLeg,
  hasLegUnderWay,
  hasSentLegs,
  isInLegs,
  isLegHonoured,
  isOldWish,
  isPulledBack,
  legsWishedAt,
  isUnderWay,
  legsBefore,
  legSent,
  legToSend,
  railLeg,
  mayHaveLeft,
  secondsUntilDue,
} from './legs';
export { delayOf, secondsToRetry } from './job-times';
export {
  type Actor,
  changeOf,
  type Destination,
  type Leg,
  type OpenAttempt,
  type Payout,
  PAYOUT_SOURCES,
  type PayoutChange,
  type PayoutSource,
  type Step,
  withFacts,
  withStep,
} from './payout';
export { payoutEventPayloads } from './payout-event';
export { hasMoney, movedUnsent, wordOf } from './money-elsewhere';
export { Portions } from './portions';
export { foundPaid, whatChanges } from './rail-news';
export { noIn, isOldAnswer, isUntouched, lastLooks, mayBeSentAgain, saidNo, saysNo } from './rail-no';
export { lacksRailFunds, NO_LONGER_PAYABLE, wasNotAccepted } from './rail-refusal';
export { mayMoveAfterAll, SECOND_LOOK_SECONDS, secondsToNextLook } from './second-look';
export { isSentByRequest } from './sent-by-request';
export { byCode, type SentCode } from './sent-codes';
export { goesElsewhere, isPinned, WENT_ELSEWHERE } from './where-it-goes';
export { UNROUTED } from './unrouted';
export { walletMoves, whatFollows } from './what-follows';
