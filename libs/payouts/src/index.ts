export { DriftReads } from './db/drift.reads';
export { PayoutBooks } from './db/payout-books';
export { PayoutReads } from './db/payout.reads';
export { type Drift, DRIFT_KINDS, type DriftKind } from './drift';
export { filterOf as payoutFilterOf } from './http/payout-list';
export { TransactionDetailView, transactionDetailView, TransactionView, transactionView } from './http/payout.view';
export { ListPayoutsQuery } from './http/payouts.dto';
export { ScanMovementsJob } from './jobs/scan-movements.job';
export { SelfReleaseJobs } from './jobs/self-release.job';
export { type Actor, changeOf, type Payout, type PayoutChange, type PayoutSource, withFacts } from './payout';
export { PayoutsModule } from './payouts.module';
export { ChangePayout } from './use-cases/change-payout';
export {
  type Consolidation,
  ConsolidatePayouts,
  type InSight,
  type Taken,
  type TakeOrder,
} from './use-cases/consolidate-payouts';
export { PayoutGates } from './use-cases/payout-gates';
export { RemedyPayout } from './use-cases/remedy-payout';
export { SendToRail } from './use-cases/send-to-rail';
