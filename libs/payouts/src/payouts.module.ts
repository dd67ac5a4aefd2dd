/** Payouts from request to bank: gates, the one writer of status, the way to the rail and back. */
import { Module } from '@nestjs/common';
import { BalancesModule } from '#libs/balances';
import { PayeesModule } from '#libs/payees';
import { WalletsModule } from '#libs/wallets';
import { BatchAddressesStore } from './db/batch-addresses.store';
import { DriftReads } from './db/drift.reads';
import { DriftStore } from './db/drift.store';
import { MovementStore } from './db/movement.store';
import { FloorReads } from './db/floor.reads';
import { HeldReads } from './db/held.reads';
import { NoticeStore } from './db/notice.store';
import { PayoutBooks } from './db/payout-books';
import { PayoutReads } from './db/payout.reads';
import { PayoutStore } from './db/payout.store';
import { BatchController } from './http/batch.controller';
import { RailNoticesController } from './http/rail-notices.controller';
import { PayoutsController } from './http/payouts.controller';
import { TestPayoutsController } from './http/test-payouts.controller';
import { DrivePayoutJob } from './jobs/drive-payout.job';
import { LookWhenHinted } from './jobs/look-when-hinted';
import { RecoverPayouts } from './jobs/recover-payouts';
import { RetryPayoutJob } from './jobs/retry-payout.job';
import { ScanMovementsJob } from './jobs/scan-movements.job';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ApplyRailFact } from './use-cases/apply-rail-fact';
import { AskBeforeSending } from './use-cases/ask-before-sending';
import { AskRail } from './use-cases/ask-rail';
import { ChangePayout } from './use-cases/change-payout';
import { ClearEarlier } from './use-cases/clear-earlier';
import { ConsolidatePayouts } from './use-cases/consolidate-payouts';
import { CreateBatch } from './use-cases/create-batch';
import { CreatePayouts } from './use-cases/create-payouts';
import { InsertPayouts } from './use-cases/insert-payouts';
import { DirectTestPayout } from './use-cases/direct-test-payout';
import { JudgeHeld } from './use-cases/judge-held';
import { PayoutGates } from './use-cases/payout-gates';
import { RailCodes } from './use-cases/rail-codes';
import { RailQueue } from './use-cases/rail-queue';
import { ReceiveNotice } from './use-cases/receive-notice';
import { ReconcilePayouts } from './use-cases/reconcile-payouts';
import { ResolveDrift } from './use-cases/resolve-drift';
import { ResumePayouts } from './use-cases/resume-payouts';
import { ScanMovements } from './use-cases/scan-movements';
import { ReleaseFunded } from './use-cases/release-funded';
import { ReleaseHeld } from './use-cases/release-held';
import { RemedyPayout } from './use-cases/remedy-payout';
import { SendToRail } from './use-cases/send-to-rail';
import { HearNews } from './use-cases/hear-news';
import { TakeAttempts } from './use-cases/take-attempts';

@Module({
  imports: [PayeesModule, WalletsModule, BalancesModule],
  controllers: [BatchController, PayoutsController, TestPayoutsController, RailNoticesController],
  providers: [
    PayoutReads,
    FloorReads,
    HeldReads,
    DriftStore,
    MovementStore,
    DriftReads,
    NoticeStore,
    PayoutStore,
    PayoutBooks,
    PayoutGates,
    RailQueue,
    ChangePayout,
    CreatePayouts,
    HearNews,
    TakeAttempts,
    AskRail,
    AskBeforeSending,
    SendToRail,
    ApplyRailFact,
    RemedyPayout,
    ResolveDrift,
    ResumePayouts,
    JudgeHeld,
    ReleaseHeld,
    BatchAddressesStore,
    CreateBatch,
    InsertPayouts,
    ClearEarlier,
    RailCodes,
    ConsolidatePayouts,
    ReconcilePayouts,
    ScanMovements,
    ReceiveNotice,
    ReleaseFunded,
    DirectTestPayout,
    DrivePayoutJob,
    LookWhenHinted,
    RecoverPayouts,
    SelfReleaseJobs,
    RetryPayoutJob,
    ScanMovementsJob,
  ],
  exports: [
    PayoutReads,
    PayoutBooks,
    PayoutGates,
    DriftReads,
    ChangePayout,
    ConsolidatePayouts,
    AskRail,
    SendToRail,
    RemedyPayout,
    ResolveDrift,
    SelfReleaseJobs,
    ScanMovementsJob,
  ],
})
export class PayoutsModule {}
