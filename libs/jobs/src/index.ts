export { type HeldJob, type Job, JOB_NAMES, type JobName, type JobOutcome, type TakenJob } from './job-names';
export { noteOnJob, withNote } from './job-note';
export { JobQueue } from './job-queue';
export { type Backlog, type JobFilter, JobReads, type WaitingJob } from './job-reads';
export { JobRunner } from './job-runner';
export { Jobs } from './jobs';
export { JobsModule } from './jobs.module';
export { type AskedFor, LeftOff, type PassPlace } from './left-off';
export { OnJob } from './on-job';
