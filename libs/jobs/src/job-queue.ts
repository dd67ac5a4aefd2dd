/** How a claimed job reaches the one who does it: this process itself, or any worker by Bull. */
import { Injectable } from '@nestjs/common';
import type { Job, JobName, Place } from './job-names';
import { JobRunner, LEASE_SECONDS } from './job-runner';

export abstract class JobQueue {
  /**
   * So many more are run here while all places are taken, each of a lane, or an owner in it, that has none: where any worker may take a job, one
   * may have too many.
   */
  abstract readonly beyond: number;
  /** Told when a job that nobody dispatched here is through: there is room for another one. */
  onRoom: (name: JobName) => void = () => undefined;
  /** How long a claimed job may be in the queue's hands before it counts as lost. */
  abstract readonly leaseSeconds: number;
  /** Asked at each poll: it stays known whether the queue is well while there is no work. */
  abstract look(): Promise<void>;
  /** The places that are taken, which bound how many more of this name are; `underWay` are the jobs that this process has dispatched. */
  abstract places(name: JobName, underWay: Job[]): Promise<Place[]>;
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
  readonly beyond = 0;

  constructor(private readonly runner: JobRunner) {
    super();
  }

  look(): Promise<void> {
    return Promise.resolve();
  }

  places(_: JobName, underWay: Job[]): Promise<Place[]> {
    return Promise.resolve(underWay);
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
