export { DISPUTED_ROWS, type DisputedRows } from './disbursement';
export { DisbursementsModule } from './disbursements.module';
export { SettleDisputed } from './use-cases/settle-disputed';
