export { DisbursementsModule } from './disbursements.module';
export { DISPUTED_ROWS, type DisputedRows, SettleDisputed } from './use-cases/settle-disputed';
