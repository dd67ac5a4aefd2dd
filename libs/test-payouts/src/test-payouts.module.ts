/** Lets tests say what becomes of their payouts: on rails for tests, and for clients in test mode. */
import { Module } from '@nestjs/common';
import { PayoutsModule } from '#libs/payouts';
import { TestPayoutsController } from './http/test-payouts.controller';
import { DirectTestPayout } from './use-cases/direct-test-payout';

@Module({
  imports: [PayoutsModule],
  controllers: [TestPayoutsController],
  providers: [DirectTestPayout],
  exports: [DirectTestPayout],
})
export class TestPayoutsModule {}
