export { DisbursementsModule } from './disbursements.module';
export { SettleDisputed } from './use-cases/settle-disputed';
