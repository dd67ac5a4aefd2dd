export type { ListedPayout } from './db/payout-page';
export { PayoutReads } from './db/payout.reads';
export { filterOf as payoutFilterOf } from './http/payout-list';
export { TransactionDetailView, transactionDetailView, TransactionView, transactionView } from './http/payout.view';
export { ListPayoutsQuery } from './http/payouts.dto';
export { SelfReleaseJobs } from './jobs/self-release.job';
export { PayoutsModule } from './payouts.module';
export { AskRail } from './use-cases/ask-rail';
export { BeginLeg } from './use-cases/begin-leg';
export { CheckPayee, type PayeeStanding } from './use-cases/check-payee';
export { ChangePayout } from './use-cases/change-payout';
export {
  ConsolidatePayouts,
  type Consolidation,
  type Leave,
  type ReleaseRule,
  type Takes,
} from './use-cases/consolidate-payouts';
export type { OwedSight } from './use-cases/owed-rows';
export { CancelPayout } from './use-cases/cancel-payout';
export { GiveUpPayout } from './use-cases/give-up-payout';
export { PayoutGates } from './use-cases/payout-gates';
export { PayoutJobs } from './use-cases/payout-jobs';
export { ReadPayout } from './use-cases/read-payout';
export { RemedyPayout } from './use-cases/remedy-payout';
export { SendToRail } from './use-cases/send-to-rail';
