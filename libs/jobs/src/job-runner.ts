/** Runs a job that this process holds the lease of, keeps the lease alive meanwhile, and writes down how it went. */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { backoffSeconds } from '#libs/domain';
import { Batcher } from '#libs/batcher';
import { DatabaseTrouble, onBehalf, VersionGate } from '#libs/db';
import { inLogContext, log, metrics } from '#libs/telemetry';
import { JobHandlers } from './job-handlers';
import { type Job, type JobName, type JobOutcome, whoseIs } from './job-names';
import { withNote } from './job-note';
import { JobStore } from './job-store';

/** Short, so that what a killed worker held comes due again within seconds. */
export const LEASE_SECONDS = 6;
/** So often that a process that stood still for three seconds, and a database that then takes two, lose no lease. */
export const RENEW_MS = 1_000;
const SAID_AT_MOST = 20;
/** Of the time that jobs are given when the process stops, for handing them back. A database that says nothing takes no more of it. */
const HANDING_BACK_MS = 2_000;
/** Of what is kept with a job, in characters. */
const KEPT_WORDS = 500;
const AFTER_ERRORS = { firstSeconds: 1, capSeconds: 300 };

@Injectable()
export class JobRunner implements OnModuleInit, OnApplicationShutdown {
  private readonly held = new Set<Job>();
  /** Jobs that end at the same time end together. */
  private readonly ends = new Batcher<Job, boolean>((jobs) => this.store.finishFree(jobs), { most: 64, atOnce: 2 });
  private whenIdle: () => void = () => undefined;
  private whenCutOff: () => void = () => undefined;
  private ending = new AbortController();
  /**
   * Settles when jobs were handed back before they were through. The process then leaves at once: what they still have
   * under way is somebody else's by now, and must not be written down as failed because it was cut.
   */
  readonly cutOff = new Promise<void>((resolve) => (this.whenCutOff = resolve));
  private renewal: NodeJS.Timeout;

  constructor(
    private readonly store: JobStore,
    private readonly handlers: JobHandlers,
    private readonly gate: VersionGate,
  ) {
    gate.onChange((isShut) => (isShut ? this.ending.abort() : (this.ending = new AbortController())));
  }

  onModuleInit(): void {
    this.renewal = setInterval(() => this.renew(), RENEW_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.renewal);
  }

  /** Not while this process is too old for the database. */
  get mayTake(): boolean {
    return !this.gate.isShut;
  }

  underWay(name: JobName): Job[] {
    return [...this.held].filter((job) => job.name === name);
  }

  run(job: Job): Promise<void> {
    return inLogContext({ job: `${job.name} ${job.entityId}` }, () => onBehalf(whoseIs(job), () => this.done(job)));
  }

  private async done(job: Job): Promise<void> {
    const stopTimer = metrics.jobs.startTimer({ name: job.name });
    const leave = this.gate.enter();
    this.held.add(job);
    try {
      const handle = this.handlers.of(job.name);
      const { outcome, note } = await withNote(async () =>
        handle(job.entityId, job.attempts, { ...job, signal: this.ending.signal }),
      );
      await this.settle(job, outcome, note);
      stopTimer({ outcome: 'done' });
    } catch (error) {
      stopTimer({ outcome: 'error' });
      await this.failed(job, error as Error);
    } finally {
      this.held.delete(job);
      leave();
      if (this.held.size === 0) this.whenIdle();
    }
  }

  /** Waits for the jobs under way. Those that take longer than that are handed back: another process takes them up at once. */
  async finish(withinMs: number): Promise<void> {
    this.ending.abort();
    if (this.held.size > 0) {
      const idle = new Promise<void>((resolve) => (this.whenIdle = resolve));
      await Promise.race([idle, pause(Math.max(0, withinMs - HANDING_BACK_MS), undefined, { ref: false })]);
    }
    const left = [...this.held];
    if (left.length === 0) return;
    this.held.clear();
    const jobs = left.map(({ name, entityId }) => ({ name, entityId }));
    log.warn(
      { event: 'jobs.cut_off', count: left.length, jobs: jobs.slice(0, SAID_AT_MOST) },
      'handed back unfinished',
    );
    await Promise.race([this.store.handBack(left, true), pause(HANDING_BACK_MS, undefined, { ref: false })]);
    this.whenCutOff();
  }

  private async settle(job: Job, outcome: JobOutcome, note: string | null): Promise<void> {
    if (outcome) {
      const { againInSeconds } = outcome;
      // What goes on at once did a portion: it was no try that came to nothing.
      return this.store.putBack(job, againInSeconds, note?.slice(0, KEPT_WORDS) ?? null, againInSeconds === 0);
    }
    if (!(await this.ends.add(job))) await this.store.finish(job);
  }

  private async failed(job: Job, error: Error): Promise<void> {
    if (!this.held.has(job)) return; // it was cut off at the stop, and is somebody else's by now
    const trouble = error instanceof DatabaseTrouble ? error : null;
    // Its own statement that took too long may take as long again.
    const passes = trouble !== null && (trouble.isEverybodys || trouble.isHeld);
    const againInSeconds = passes ? AFTER_ERRORS.firstSeconds : backoffSeconds(AFTER_ERRORS, job.attempts);
    const fields = {
      event: 'job.failed',
      name: job.name,
      entityId: job.entityId,
      attempts: job.attempts,
      againInSeconds,
    };
    if (trouble) log.warn({ ...fields, kind: trouble.kind }, error.message);
    else log.error({ ...fields, stack: error.stack }, error.message);
    const note = error.message.slice(0, KEPT_WORDS);
    await this.store.putBack(job, againInSeconds, note, false).catch((lost: Error) => this.leave(job, lost));
  }

  /** If all connections were ended it is due again at once, as if its process had stopped. */
  private async leave(job: Job, lost: Error): Promise<void> {
    if (lost instanceof DatabaseTrouble && lost.kind === 'away') return this.store.handBack([job], true);
    const fields = { event: 'job.not_put_back', name: job.name, entityId: job.entityId, error: lost.message };
    log.warn(fields, 'left to its lease');
  }

  private renew(): void {
    if (this.held.size === 0) return;
    this.store
      .renew([...this.held], LEASE_SECONDS)
      .catch((error: Error) => log.warn({ event: 'job.not_renewed', error: error.message }, 'leases were not renewed'));
  }
}
