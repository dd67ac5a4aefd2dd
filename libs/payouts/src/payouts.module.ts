/** Payouts from request to bank: gates, the one writer of status, the way to the rail and back. */
import { Module } from '@nestjs/common';
import { PayeesModule } from '#libs/payees';
import { PayoutReads } from './db/payout.reads';
import { PayoutStore } from './db/payout.store';
import { PayoutsController } from './http/payouts.controller';
import { TestPayoutsController } from './http/test-payouts.controller';
import { DrivePayoutJob } from './jobs/drive-payout.job';
import { RecoverPayouts } from './jobs/recover-payouts';
import { ApplyRailFact } from './use-cases/apply-rail-fact';
import { ChangePayout } from './use-cases/change-payout';
import { CreatePayouts } from './use-cases/create-payouts';
import { DirectTestPayout } from './use-cases/direct-test-payout';
import { PayoutGates } from './use-cases/payout-gates';
import { RailQueue } from './use-cases/rail-queue';
import { RemedyPayout } from './use-cases/remedy-payout';
import { SendToRail } from './use-cases/send-to-rail';

@Module({
  imports: [PayeesModule],
  controllers: [PayoutsController, TestPayoutsController],
  providers: [
    PayoutReads,
    PayoutStore,
    PayoutGates,
    RailQueue,
    ChangePayout,
    CreatePayouts,
    SendToRail,
    ApplyRailFact,
    RemedyPayout,
    DirectTestPayout,
    DrivePayoutJob,
    RecoverPayouts,
  ],
  exports: [PayoutReads, RemedyPayout],
})
export class PayoutsModule {}
