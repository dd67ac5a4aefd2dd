export { DisbursementsModule } from './disbursements.module';
