/** Lets time pass for clients in test mode, and makes them as new. */
import { Module } from '@nestjs/common';
import { PayoutsModule } from '#libs/payouts';
import { ReconciliationModule } from '#libs/reconciliation';
import { ClockStore } from './db/clock.store';
import { ResetStore } from './db/reset.store';
import { TestClockController } from './http/test-clock.controller';
import { AdvanceClock } from './use-cases/advance-clock';
import { ClearClient } from './use-cases/clear-client';
import { LongTurns } from './use-cases/long-turns';
import { MoveTimes } from './use-cases/move-times';

@Module({
  imports: [PayoutsModule, ReconciliationModule],
  controllers: [TestClockController],
  providers: [ClockStore, ResetStore, LongTurns, MoveTimes, AdvanceClock, ClearClient],
  exports: [ClearClient],
})
export class TestClockModule {}
