export { keepDeployment } from './deployment';
export { NoticeReads } from './db/notice.reads';
export { ScanMovementsJob } from './jobs/scan-movements.job';
export { ReconciliationModule } from './reconciliation.module';
export { type Read, ResolveDrift } from './use-cases/resolve-drift';
export { WatchReturns } from './use-cases/watch-returns';
