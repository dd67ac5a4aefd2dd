/** Lets time pass for clients in test mode. */
import { Module } from '@nestjs/common';
import { PayoutsModule } from '#libs/payouts';
import { ReconciliationModule } from '#libs/reconciliation';
import { ClockStore } from './db/clock.store';
import { TestClockController } from './http/test-clock.controller';
import { AdvanceClock } from './use-cases/advance-clock';
import { MoveTimes } from './use-cases/move-times';

@Module({
  imports: [PayoutsModule, ReconciliationModule],
  controllers: [TestClockController],
  providers: [ClockStore, MoveTimes, AdvanceClock],
})
export class TestClockModule {}
