export { DisbursementsModule } from './disbursements.module';
export { ReleaseOwed, type Released } from './use-cases/release-owed';
export { SettleDisputed } from './use-cases/settle-disputed';
