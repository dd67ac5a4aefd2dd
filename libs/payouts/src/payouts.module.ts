/** Payouts from request to bank: gates, the one writer of status, the way to the rail and back. */
import { Module } from '@nestjs/common';
import { BalancesModule } from '#libs/balances';
import { DriftModule } from '#libs/drift';
import { OwedModule } from '#libs/owed';
import { PayeesModule } from '#libs/payees';
import { WalletsModule } from '#libs/wallets';
import { BatchAddressesStore } from './db/batch-addresses.store';
import { FloorReads } from './db/floor.reads';
import { HeldReads } from './db/held.reads';
import { PayoutBooks } from './db/payout-books';
import { PayoutReads } from './db/payout.reads';
import { PayoutStore } from './db/payout.store';
import { BatchController } from './http/batch.controller';
import { PayoutsController } from './http/payouts.controller';
import { RemediesController } from './http/remedies.controller';
import { DrivePayoutJob } from './jobs/drive-payout.job';
import { ReadPayout } from './use-cases/read-payout';
import { RecoverPayouts } from './jobs/recover-payouts';
import { RetryPayoutJob } from './jobs/retry-payout.job';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ApplyRailFact } from './use-cases/apply-rail-fact';
import { AskBeforeSending } from './use-cases/ask-before-sending';
import { AskRail } from './use-cases/ask-rail';
import { BeginLeg } from './use-cases/begin-leg';
import { ChangePayout } from './use-cases/change-payout';
import { CheckPayee } from './use-cases/check-payee';
import { CheckedLegs } from './use-cases/checked-legs';
import { ClearEarlier } from './use-cases/clear-earlier';
import { ConsolidatePayouts } from './use-cases/consolidate-payouts';
import { CreateBatch } from './use-cases/create-batch';
import { CreatePayouts } from './use-cases/create-payouts';
import { CancelPayout } from './use-cases/cancel-payout';
import { GiveUpPayout } from './use-cases/give-up-payout';
import { InsertPayouts } from './use-cases/insert-payouts';
import { JudgeHeld } from './use-cases/judge-held';
import { OwedRows } from './use-cases/owed-rows';
import { PayoutGates } from './use-cases/payout-gates';
import { RailCodes } from './use-cases/rail-codes';
import { PayoutJobs } from './use-cases/payout-jobs';
import { ResumePayouts } from './use-cases/resume-payouts';
import { ReleaseCleared } from './use-cases/release-cleared';
import { ReleaseFunded } from './use-cases/release-funded';
import { ReleaseHeld } from './use-cases/release-held';
import { RemedyPayout } from './use-cases/remedy-payout';
import { SendToRail } from './use-cases/send-to-rail';
import { TakeAttempts } from './use-cases/take-attempts';

@Module({
  imports: [PayeesModule, WalletsModule, OwedModule, BalancesModule, DriftModule],
  controllers: [BatchController, PayoutsController, RemediesController],
  providers: [
    PayoutReads,
    FloorReads,
    HeldReads,
    PayoutStore,
    PayoutBooks,
    PayoutGates,
    PayoutJobs,
    ChangePayout,
    CreatePayouts,
    TakeAttempts,
    AskRail,
    AskBeforeSending,
    SendToRail,
    ApplyRailFact,
    ReadPayout,
    RemedyPayout,
    GiveUpPayout,
    CancelPayout,
    ResumePayouts,
    JudgeHeld,
    ReleaseHeld,
    BatchAddressesStore,
    CreateBatch,
    InsertPayouts,
    ClearEarlier,
    RailCodes,
    OwedRows,
    ConsolidatePayouts,
    ReleaseFunded,
    ReleaseCleared,
    CheckPayee,
    CheckedLegs,
    BeginLeg,
    DrivePayoutJob,
    RecoverPayouts,
    SelfReleaseJobs,
    RetryPayoutJob,
  ],
  exports: [
    PayoutReads,
    PayoutGates,
    PayoutJobs,
    ChangePayout,
    ConsolidatePayouts,
    AskRail,
    SendToRail,
    ReadPayout,
    RemedyPayout,
    GiveUpPayout,
    CheckPayee,
    BeginLeg,
    SelfReleaseJobs,
  ],
})
export class PayoutsModule {}
