/** Runs a job that this process holds the lease of, keeps the lease alive meanwhile, and writes down how it went. */
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { backoffSeconds } from '#libs/domain';
import { DatabaseTrouble, VersionGate } from '#libs/db';
import { log, metrics } from '#libs/telemetry';
import { JobHandlers } from './job-handlers';
import type { Job, JobName, JobOutcome } from './job-names';
import { JobStore } from './job-store';

/** Short, so that what a killed worker held comes due again within seconds; renewed long before it ends. */
export const LEASE_SECONDS = 6;
const RENEW_MS = 2_000;
const AFTER_ERRORS = { firstSeconds: 1, capSeconds: 300 };

@Injectable()
export class JobRunner implements OnModuleInit, OnApplicationShutdown {
  private readonly held = new Set<Job>();
  private renewal: NodeJS.Timeout;

  constructor(
    private readonly store: JobStore,
    private readonly handlers: JobHandlers,
    private readonly gate: VersionGate,
  ) {}

  onModuleInit(): void {
    this.renewal = setInterval(() => this.renew(), RENEW_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.renewal);
  }

  runningOf(name: JobName): Job[] {
    return [...this.held].filter((job) => job.name === name);
  }

  async run(job: Job): Promise<void> {
    const stopTimer = metrics.jobs.startTimer({ name: job.name });
    const leave = this.gate.enter();
    this.held.add(job);
    try {
      await this.settle(job, await this.handlers.of(job.name)(job.entityId, job.attempts));
      stopTimer({ outcome: 'done' });
    } catch (error) {
      stopTimer({ outcome: 'error' });
      await this.failed(job, error as Error);
    } finally {
      this.held.delete(job);
      leave();
    }
  }

  private settle(job: Job, outcome: JobOutcome): Promise<void> {
    return outcome ? this.store.putBack(job, outcome.againInSeconds, null, false) : this.store.finish(job);
  }

  private async failed(job: Job, error: Error): Promise<void> {
    const trouble = error instanceof DatabaseTrouble ? error.kind : null;
    const againInSeconds = trouble ? AFTER_ERRORS.firstSeconds : backoffSeconds(AFTER_ERRORS, job.attempts);
    const fields = {
      event: 'job.failed',
      name: job.name,
      entityId: job.entityId,
      attempts: job.attempts,
      againInSeconds,
    };
    if (trouble) log.warn({ ...fields, kind: trouble }, error.message);
    else log.error({ ...fields, stack: error.stack }, error.message);
    await this.store.putBack(job, againInSeconds, error.message.slice(0, 500), false).catch((lost: Error) =>
      // Without the database nothing can be written; the lease runs out and the job comes due again.
      log.warn(
        { event: 'job.not_put_back', name: job.name, entityId: job.entityId, error: lost.message },
        'left to its lease',
      ),
    );
  }

  private renew(): void {
    if (this.held.size === 0) return;
    this.store
      .renew([...this.held], LEASE_SECONDS)
      .catch((error: Error) => log.warn({ event: 'job.not_renewed', error: error.message }, 'leases were not renewed'));
  }
}
