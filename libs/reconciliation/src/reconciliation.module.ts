/** News of money from outside: what rails list, what their providers call about, and what an operator decides about it. */
import { Module } from '@nestjs/common';
import { DriftModule } from '#libs/drift';
import { PayeesModule } from '#libs/payees';
import { PayoutsModule } from '#libs/payouts';
import { NoticeReads } from './db/notice.reads';
import { NoticeStore } from './db/notice.store';
import { SubmittedReads } from './db/submitted.reads';
import { WatchStore } from './db/watch.store';
import { RailNoticesController } from './http/rail-notices.controller';
import { ForgetNotices } from './jobs/forget-notices';
import { LookWhenHinted } from './jobs/look-when-hinted';
import { ScanMovementsJob } from './jobs/scan-movements.job';
import { ComparePortion } from './use-cases/compare-portion';
import { ForgetOldNotices } from './use-cases/forget-old-notices';
import { HearNews } from './use-cases/hear-news';
import { HearOfPayouts } from './use-cases/hear-of-payouts';
import { ListMovements } from './use-cases/list-movements';
import { ReceiveNotice } from './use-cases/receive-notice';
import { ReconcilePayouts } from './use-cases/reconcile-payouts';
import { ResolveDrift } from './use-cases/resolve-drift';
import { ScanMovements } from './use-cases/scan-movements';
import { WatchReturns } from './use-cases/watch-returns';

@Module({
  imports: [DriftModule, PayeesModule, PayoutsModule],
  controllers: [RailNoticesController],
  providers: [
    NoticeReads,
    NoticeStore,
    HearNews,
    HearOfPayouts,
    ReceiveNotice,
    ComparePortion,
    ListMovements,
    ForgetOldNotices,
    ReconcilePayouts,
    SubmittedReads,
    ResolveDrift,
    ScanMovements,
    WatchReturns,
    WatchStore,
    ForgetNotices,
    LookWhenHinted,
    ScanMovementsJob,
  ],
  exports: [NoticeReads, ResolveDrift, ScanMovementsJob, WatchReturns],
})
export class ReconciliationModule {}
