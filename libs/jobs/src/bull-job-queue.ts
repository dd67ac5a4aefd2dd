/**
 * Bull on Redis. It only spreads the news of a job over the workers: the job's row stays in Postgres until it is done, so
 * a Redis that is down, flushed or restored empty costs time. While Redis does not answer, the jobs are done right here.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bull';
import type { VersionGate } from '#libs/db';
import { log } from '#libs/telemetry';
import { type HeldJob, type Job, JOB_NAMES, type JobName, JOBS, type Place } from './job-names';
import { JobQueue } from './job-queue';
import { type JobRunner, LEASE_SECONDS } from './job-runner';
import type { JobStore } from './job-store';

/** Calls never settle while Redis is down (measured), so each is given this long. */
const ANSWER_TIMEOUT_MS = 250;
/** The first call also connects. */
const FIRST_ANSWER_TIMEOUT_MS = 1_000;
const WITHOUT_REDIS_MS = 1_000;
/** Bull itself gives each connection half a second to say goodbye. */
const CLOSING_TIMEOUT_MS = 1_000;
/** A database that says nothing is not waited for: the leases end by themselves, and the jobs under way need the rest of the grace. */
const HANDING_BACK_MS = 5_000;
/** It is said once that Redis went away and once that it is back, and in between only this often. */
const SAY_AGAIN_MS = 5 * 60_000;

/** At a job that somebody holds, as everywhere: mostly whoever adds to it. */
const LOOK_AGAIN_AFTER_MS = [10, 40, 160];

/** Bull's way to say that other processes go on. */
const HERE_ONLY = true;

interface Ticket {
  entityId: string;
  dispatchToken: string;
}

/** A job that was handed to Bull: until somebody takes it over, the lease is still the one it was handed out under. */
interface PassedOn {
  job: Job;
  at: number;
  /** `now`: it is being taken over here, and is under way in a moment. `before`: it has no place of its own any more. */
  taken?: 'now' | 'before';
}

export class BullJobQueue extends JobQueue implements OnModuleInit {
  readonly leaseSeconds = 3;
  readonly beyond = 8;
  private redisFailedAt = -Infinity;
  private saidAt: number | null = null;
  private stopping = false;
  private readonly passedOn = new Map<string, PassedOn>();
  /** Jobs that are being taken over here: a process that stops waits for them, or it would leave with their leases. */
  private readonly takings = new Set<Promise<Job | null>>();

  constructor(
    private readonly queues: Map<JobName, Queue<Ticket>>,
    private readonly store: JobStore,
    private readonly runner: JobRunner,
    private readonly gate: VersionGate,
  ) {
    super();
  }

  /** Asks Redis once, so that whoever starts the service is told by the start screen. */
  async onModuleInit(): Promise<void> {
    for (const name of JOB_NAMES) {
      const queue = this.queue(name);
      queue.on('error', (error) => log.debug({ event: 'bull.error', name, error: error.message }, 'redis'));
      // A rejection means that Bull lost its connection; it connects again by itself.
      queue
        .process(JOBS[name].concurrency, (job) => this.receive(name, job.data))
        .catch((error: Error) => log.warn({ event: 'bull.stopped', name, error: error.message }, 'bull stopped'));
    }
    this.gate.onChange((shut) => this.consume(!shut));
    await this.answered(this.queue('payout.drive').getWaitingCount(), FIRST_ANSWER_TIMEOUT_MS);
  }

  async look(): Promise<void> {
    if (!this.withoutRedis()) await this.answered(this.queue('payout.drive').getWaitingCount());
  }

  /**
   * What runs here, whoever took it, and the tickets that nobody has taken yet, for as long as their leases last. So all processes together have
   * hardly more than they can run, and no ticket waits for long.
   */
  async places(name: JobName, underWay: Job[]): Promise<Place[]> {
    const out = [...this.passedOn.values()].filter(({ job, taken }) => job.name === name && taken !== 'before');
    const waiting = out.length === 0 ? new Set() : await this.store.stillHeld(out.map(({ job }) => job));
    for (const ticket of out) if (!ticket.taken && !waiting.has(ticket.job.leaseToken)) ticket.taken = 'before';
    const tickets = out.flatMap(({ job, taken }) => (taken === 'before' ? [] : job));
    const all = [...tickets, ...this.runner.underWay(name), ...underWay];
    return [...new Map(all.map((job) => [job.entityId, job])).values()];
  }

  async dispatch(job: Job): Promise<void> {
    // Jobs that Bull was given before and nobody took are done here: a consumer that died quietly must not stop the work. So is one that is taken
    // beyond the places here: behind the others' tickets it would wait for one of them.
    const isBeyond = this.runner.underWay(job.name).length >= JOBS[job.name].concurrency;
    if (!job.lapsed && !isBeyond && !this.withoutRedis() && (await this.added(job))) return;
    const mine = await this.takenHere(job).catch(() => null);
    if (mine) await this.runner.run(mine);
  }

  /** Tickets that nobody took mean nothing any more once the lease they name is given back. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.settled((queue) => queue.pause(true, true));
    const passedOn = [...this.passedOn.values()].map(({ job }) => job);
    const handedBack = Promise.allSettled([this.store.handBack(passedOn, false), ...this.takings]);
    await Promise.race([handedBack, pause(HANDING_BACK_MS, undefined, { ref: false })]);
  }

  /** Bull waits for Redis without an end: whatever is still open then is cut. */
  async close(): Promise<void> {
    await this.settled((queue) => queue.close(true));
    for (const queue of this.queues.values()) for (const client of queue.clients) client.disconnect();
  }

  trouble(): string | null {
    return performance.now() - this.redisFailedAt > 2 * WITHOUT_REDIS_MS ? null : 'redis does not answer';
  }

  private async settled(ask: (queue: Queue<Ticket>) => Promise<void>): Promise<void> {
    const all = Promise.allSettled([...this.queues.values()].map(ask));
    await Promise.race([all, pause(CLOSING_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private remember(job: Job): void {
    const now = performance.now();
    for (const [token, { at }] of this.passedOn) {
      if (now - at < this.leaseSeconds * 1_000) break;
      this.passedOn.delete(token);
    }
    this.passedOn.set(job.leaseToken, { job, at: now });
  }

  private withoutRedis(): boolean {
    return performance.now() - this.redisFailedAt < WITHOUT_REDIS_MS;
  }

  private async added(job: Job): Promise<boolean> {
    const ticket = { entityId: job.entityId, dispatchToken: job.leaseToken };
    // The token is new for each dispatch: Bull silently drops a jobId it has seen.
    const options = { jobId: job.leaseToken, removeOnComplete: true, removeOnFail: true };
    this.remember(job);
    return (await this.answered(this.queue(job.name).add(ticket, options))) !== null;
  }

  /** null if Redis refused or did not answer in time. */
  private async answered<T>(call: Promise<T>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<T | null> {
    const timedOut = new Promise<Error>((resolve) => {
      setTimeout(resolve, timeoutMs, new Error('no answer')).unref();
    });
    const outcome = await Promise.race([call.catch((error: Error) => error), timedOut]);
    if (outcome instanceof Error) return this.failed(outcome);
    if (this.saidAt !== null) log.info({ event: 'bull.reachable' }, 'Redis answers again');
    this.saidAt = null;
    return outcome;
  }

  private failed(error: Error): null {
    const now = performance.now();
    this.redisFailedAt = now;
    if (this.saidAt !== null && now - this.saidAt < SAY_AGAIN_MS) return null;
    this.saidAt = now;
    log.warn(
      { event: 'bull.unreachable', error: error.message },
      'Redis at REDIS_URL does not answer; working without it',
    );
    return null;
  }

  /** Too old for the database, this process must leave the tickets to others. */
  private consume(goOn: boolean): void {
    for (const queue of this.queues.values())
      (goOn ? queue.resume(HERE_ONLY) : queue.pause(HERE_ONLY, true)).catch((error: Error) =>
        log.warn({ event: 'bull.not_switched', error: error.message }, goOn ? 'not resumed' : 'not paused'),
      );
  }

  private async receive(name: JobName, ticket: Partial<Ticket>): Promise<void> {
    // Bull can hand out a job whose data was lost with a flush.
    if (!ticket.entityId || !ticket.dispatchToken || this.gate.isShut) return;
    const mine = await this.takenOver(name, ticket.entityId, ticket.dispatchToken);
    if (mine) await this.runner.run(mine);
    this.onRoom(name);
  }

  private async takenOver(name: JobName, entityId: string, leaseToken: string): Promise<Job | null> {
    const ticket = this.passedOn.get(leaseToken);
    if (ticket) ticket.taken = 'now';
    try {
      return await this.takenHere({ name, entityId, leaseToken });
    } finally {
      if (ticket) ticket.taken = 'before';
    }
  }

  private takenHere(job: HeldJob): Promise<Job | null> {
    const taking = this.takenUnlessStopping(job).finally(() => this.takings.delete(taking));
    this.takings.add(taking);
    return taking;
  }

  /** What this process may not begin any more, whoever passed it on, is due at once. */
  private async takenUnlessStopping(job: HeldJob): Promise<Job | null> {
    const mine = this.stopping ? null : await this.taken(job);
    if (!this.stopping) return mine;
    await this.store.handBack([mine ?? job], false);
    return null;
  }

  /**
   * What somebody holds is mostly free again in a moment. What is not is left to its lease, as a ticket that was lost: who waited for it
   * would keep a connection, and the place of somebody else's job.
   */
  private async taken(job: HeldJob): Promise<Job | null> {
    for (const ms of LOOK_AGAIN_AFTER_MS) {
      const mine = await this.store.adopt(job.name, job.entityId, job.leaseToken, LEASE_SECONDS);
      if (mine || (await this.store.stillHeld([job])).size === 0) return mine;
      await pause(ms);
    }
    return this.store.adopt(job.name, job.entityId, job.leaseToken, LEASE_SECONDS);
  }

  private queue(name: JobName): Queue<Ticket> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`No Bull queue for ${name}.`);
    return queue;
  }
}
