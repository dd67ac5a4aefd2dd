/** How a claimed job reaches the one who does it: this process itself, or any worker by Bull. */
import { Injectable } from '@nestjs/common';
import { type Job, type JobName, JOBS } from './job-names';
import { JobRunner, LEASE_SECONDS } from './job-runner';

export abstract class JobQueue {
  /** How long a claimed job may be in the queue's hands before it counts as lost. */
  abstract readonly leaseSeconds: number;
  /** Asked at each poll: it stays known whether the queue is well while there is no work. */
  abstract look(): Promise<void>;
  /** How many more jobs of this name it is worth taking now. */
  abstract room(name: JobName, underWay: number): Promise<number>;
  /** Never rejects: what goes wrong with a job is written down by the runner. */
  abstract dispatch(job: Job): Promise<void>;
  /** Takes no more jobs from anywhere, and hands back those it passed on and nobody took. */
  abstract stop(): Promise<void>;
  /** Once no job is under way any more. */
  abstract close(): Promise<void>;
  /** null when the queue is well, else what is wrong with it. */
  abstract trouble(): string | null;
}

@Injectable()
export class EmbeddedJobQueue extends JobQueue {
  readonly leaseSeconds = LEASE_SECONDS;

  constructor(private readonly runner: JobRunner) {
    super();
  }

  look(): Promise<void> {
    return Promise.resolve();
  }

  room(name: JobName, underWay: number): Promise<number> {
    return Promise.resolve(JOBS[name].concurrency - underWay);
  }

  dispatch(job: Job): Promise<void> {
    return this.runner.run(job);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  trouble(): null {
    return null;
  }
}
