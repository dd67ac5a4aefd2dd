export { PayoutReads } from './db/payout.reads';
export type { Payout } from './payout';
export { PayoutsModule } from './payouts.module';
export { RemedyPayout } from './use-cases/remedy-payout';
