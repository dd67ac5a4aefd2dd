export { DriftBook } from './db/drift.book';
export { type DecidedOf, DriftReads, type HeardOf } from './db/drift.reads';
export { PaidButNotListed } from './db/paid-but-not-listed.reads';
export { PORTION_DAYS, type Portion, RailLists } from './db/rail-lists.book';
export {
  CALLED_PAID,
  CALLED_PAID_AGAIN,
  cameBack,
  type Drift,
  DRIFT_KINDS,
  type DriftKind,
  type NewDrift,
  RAIL_WORDS,
  type RailWord,
  type Word,
} from './drift';
export { portionsByCode } from './db/portions-by-code';
export { DriftModule } from './drift.module';
export { NameListed } from './name-listed';
