export { TestPayoutsModule } from './test-payouts.module';
export { DirectTestPayout } from './use-cases/direct-test-payout';
