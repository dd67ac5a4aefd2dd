/**
 * Runs a piece of periodic work in one process at a time, however many have the same schedule. Whose turn it is stands in
 * a row, as a lease that is renewed: the work may take as long as it likes, and no transaction is open meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import { log } from '#libs/telemetry';
import type { Db } from './db';
import type { VersionGate } from './version-gate';

const LEASE_MS = 30_000;
/** In place of a token where work was left in the middle. */
const HANDED_OVER = '00000000-0000-0000-0000-000000000000';
/** A database that does not answer then keeps no process from stopping. */
const GIVE_BACK_MS = 1_000;

export class SingleRunner implements OnModuleDestroy {
  private readonly held = new Set<Lease>();
  private readonly comesAgain = new Map<string, NodeJS.Timeout>();
  private stopping = false;

  constructor(
    private readonly db: Db,
    private readonly gate: VersionGate,
    private readonly leaseMs = LEASE_MS,
  ) {
    // What takes over waits until nothing is under way.
    gate.onChange((isShut) => (isShut ? void this.handOver() : undefined));
  }

  /**
   * Returns null if another process is at it, or must be. A runner that was stopped for longer than its lease is told by the
   * signal: somebody else may be at it by then, so long work looks at the signal before each step.
   */
  async run<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    if (this.gate.isShut || this.stopping) return null;
    const leave = this.gate.enter();
    try {
      const lease = new Lease(this.db, name, this.leaseMs);
      if (await lease.take()) return await this.underLease(lease, work);
      await this.comeAgain(name, work);
      return null;
    } finally {
      leave();
    }
  }

  /**
   * A process that stops may be gone in the middle of its work: the work is told to end, and another process may begin at once. Not after the
   * jobs, which are waited for, and may end it.
   */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    for (const timer of this.comesAgain.values()) clearTimeout(timer);
    await Promise.race([this.handOver(), pause(GIVE_BACK_MS, undefined, { ref: false })]);
  }

  private handOver(): Promise<unknown> {
    return Promise.all([...this.held].map((lease) => lease.handOver()));
  }

  private async underLease<T>(lease: Lease, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    if (this.stopping || this.gate.isShut) {
      await lease.handOver();
      return null;
    }
    this.held.add(lease);
    try {
      return await work(lease.signal);
    } finally {
      this.held.delete(lease);
      await lease.giveBack();
    }
  }

  /** Whoever holds it may be dead or about to stop, and the next tick a minute away. Work that is done meanwhile is done. */
  private async comeAgain<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.comesAgain.has(name)) return;
    const holder = await this.db.row<{ token: string }>(HOLDER, [name]);
    if (!holder || this.stopping || this.comesAgain.has(name)) return;
    const timer = setTimeout(() => {
      this.comesAgain.delete(name);
      this.takeOver(name, holder.token, work).catch(({ message: error }: Error) =>
        log.warn({ event: 'runner.not_taken_over', name, error }, 'tried again by its schedule'),
      );
    }, this.leaseMs).unref();
    this.comesAgain.set(name, timer);
  }

  /** If it was renewed since, and is held still, whoever asks comes once more. */
  private async takeOver<T>(name: string, token: string, work: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.stopping || this.gate.isShut) return;
    if (await this.db.row(NOT_DONE_BY, [name, token, HANDED_OVER])) await this.run(name, work);
  }
}

class Lease {
  private readonly token = randomUUID();
  private readonly lost = new AbortController();
  private renewal: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;
  private isGivenBack = false;

  constructor(
    private readonly db: Db,
    private readonly name: string,
    private readonly ms: number,
  ) {}

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  async take(): Promise<boolean> {
    const askedAt = performance.now();
    if ((await this.db.execute(TAKE, [this.name, this.token, this.ms])) === 0) return false;
    this.holdFrom(askedAt);
    this.renewal = setInterval(() => void this.renew(), this.ms / 3);
    return true;
  }

  /** To whoever is next. The work that is still at it here is told. */
  handOver(): Promise<void> {
    const given = this.giveBack(HANDED_OVER);
    this.lost.abort(new Error(`The lease of ${this.name} was handed over.`));
    return given;
  }

  /** Without the database the lease ends by itself; what the work itself came to counts. */
  async giveBack(token: string = randomUUID()): Promise<void> {
    clearInterval(this.renewal);
    clearTimeout(this.end);
    if (this.signal.aborted) return;
    this.isGivenBack = true;
    await this.db.execute(GIVE_BACK, [this.name, this.token, token]).catch((error: Error) => this.note(error));
  }

  private async renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      const isOurs = (await this.db.execute(RENEW, [this.name, this.token, this.ms])) > 0;
      if (this.signal.aborted || this.isGivenBack) return;
      if (isOurs) this.holdFrom(askedAt);
      else this.lose();
    } catch (error) {
      if (!this.isGivenBack) this.note(error as Error);
    }
  }

  /** Counted from before the question: the database cannot have counted from any earlier. */
  private holdFrom(askedAt: number): void {
    clearTimeout(this.end);
    this.end = setTimeout(() => this.lose(), Math.max(0, askedAt + this.ms - performance.now()));
  }

  private lose(): void {
    clearInterval(this.renewal);
    clearTimeout(this.end);
    if (this.signal.aborted) return;
    log.warn({ event: 'runner.lease_lost', name: this.name }, 'another process may be at it; this one stops');
    this.lost.abort(new Error(`The lease of ${this.name} ended.`));
  }

  private note(error: Error): void {
    log.warn({ event: 'runner.not_renewed', name: this.name, error: error.message }, 'the lease ends by itself');
  }
}

/** Nobody's lease is longer: what ends later was written before the clock was set back, as by a failover. */
const TAKE = `
  INSERT INTO runners AS runner (name, token, leased_until)
  VALUES ($1, $2, now() + $3::float8 * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET token = excluded.token, leased_until = excluded.leased_until
  WHERE runner.leased_until <= now() OR runner.leased_until > now() + $3::float8 * interval '2 milliseconds'`;

const RENEW = `
  UPDATE runners SET leased_until = now() + $3::float8 * interval '1 millisecond'
  WHERE name = $1 AND token = $2`;

const HOLDER = 'SELECT token FROM runners WHERE name = $1 AND leased_until > now()';

/** Whoever had it died, lost the database or stopped, or is still at it: who is done leaves another token. */
const NOT_DONE_BY = 'SELECT FROM runners WHERE name = $1 AND token IN ($2, $3)';

/** Under a token that nobody has: a renewal may be on its way, on another connection, and would take the lease of whoever is gone again. */
const GIVE_BACK = 'UPDATE runners SET leased_until = now(), token = $3 WHERE name = $1 AND token = $2';
