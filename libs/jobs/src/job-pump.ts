/**
 * Looks for due jobs and hands them to the queue. It polls, so that nothing depends on a signal arriving, and it is woken,
 * so that nothing waits for the next poll. A process that is too old for the database takes none.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { DatabaseTrouble } from '#libs/db';
import { log } from '#libs/telemetry';
import { type Job, JOB_NAMES, type JobName, JOBS } from './job-names';
import { JobQueue } from './job-queue';
import { JobRunner } from './job-runner';
import { JobStore } from './job-store';
import { Jobs } from './jobs';

const POLL_MS = 250;
const AFTER_ERROR_MS = 1_000;
/** Jobs that end one after the other make room for several: one statement then takes as many. */
const BETWEEN_LOOKS_MS = 8;

/** A database that says nothing is not waited for: what is claimed after that is handed back, or left to its lease. */
const LAST_LOOK_MS = 5_000;

/** Injection token: how many milliseconds jobs under way are given when the process stops. */
export const STOP_WITHIN_MS = Symbol('StopWithinMs');

@Injectable()
export class JobPump implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly underWay = new Map<JobName, Map<Promise<void>, Job>>(JOB_NAMES.map((name) => [name, new Map()]));
  private wakeUp: () => void = () => undefined;
  /** Of which there may be work, or room for more. */
  private readonly news = new Set<JobName>();
  private stopping = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: JobStore,
    private readonly queue: JobQueue,
    private readonly jobs: Jobs,
    private readonly runner: JobRunner,
    @Inject(STOP_WITHIN_MS) private readonly stopWithinMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onWork((names) => this.wake(names));
    this.queue.onRoom = (name) => this.wake([name]);
    this.loop = this.pump();
  }

  /** Takes no more jobs, gives back those not begun, and lets the others finish for a while. */
  async beforeApplicationShutdown(): Promise<void> {
    const until = performance.now() + this.stopWithinMs;
    this.stopping = true;
    this.wake([]);
    await Promise.race([this.loop, pause(Math.min(LAST_LOOK_MS, this.stopWithinMs), undefined, { ref: false })]);
    await this.queue.stop();
    log.info({ event: 'jobs.stopped' }, 'no more jobs are taken');
    await this.runner.finish(Math.max(0, until - performance.now()));
    await this.queue.close();
  }

  private wake(names: JobName[]): void {
    for (const name of names) this.news.add(name);
    this.wakeUp();
  }

  /** Jobs with news are looked at as the news comes, and whatever is due at each poll. */
  private async pump(): Promise<void> {
    let lastPoll = 0;
    let lastLook = 0;
    while (!this.stopping) {
      await pause(Math.max(0, BETWEEN_LOOKS_MS - (performance.now() - lastLook)));
      lastLook = performance.now();
      const all = performance.now() - lastPoll >= POLL_MS;
      if (all) lastPoll = performance.now();
      const news = [...this.news];
      this.news.clear();
      try {
        const names = all ? await this.due() : news;
        for (const name of names) if (!this.stopping && this.runner.mayTake) await this.take(name);
        await this.rest(POLL_MS);
      } catch (error) {
        const { message } = error as Error;
        const level = error instanceof DatabaseTrouble ? 'warn' : 'error';
        log[level]({ event: 'jobs.poll_failed', error: message }, 'looking for jobs again in a second');
        await this.rest(AFTER_ERROR_MS);
      }
    }
  }

  /** One question for all kinds, so that many idle processes are no load. */
  private async due(): Promise<JobName[]> {
    if (!this.runner.mayTake) return [];
    await this.queue.look();
    return this.store.due();
  }

  private async take(name: JobName): Promise<void> {
    const running = this.underWay.get(name) as Map<Promise<void>, Job>;
    const places = await this.queue.places(name, [...running.values()]);
    const left = JOBS[name].concurrency - places.length;
    const free = left > 0 || running.size >= this.queue.beyond ? left : 1;
    if (free <= 0) return;
    const claimed = await this.store.claim(name, free, places, this.queue.leaseSeconds);
    if (this.stopping) return void (await this.store.handBack(claimed, false));
    for (const job of claimed) {
      const done = this.queue.dispatch(job).finally(() => {
        running.delete(done);
        this.wake([name]);
      });
      running.set(done, job);
    }
  }

  private rest(ms: number): Promise<void> {
    if (this.news.size > 0 || this.stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
