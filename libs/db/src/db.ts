/**
 * The one way to Postgres: SQL statements, prepared under a name of their own, on TypeORM's pool, inside the transaction
 * of the calling code if there is one. Nothing that talks to the outside may run inside a transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { QueryConfig, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';
import { log } from '#libs/telemetry';
import { Connections, isLost } from './connections';
import { CommitUnknown, DatabaseTrouble, gaveWay, isStalePlan, isUnprepared, troubleOf } from './database-trouble';
import { RecentTrouble } from './recent-trouble';
import { wishInDoubt } from './shares';
import { asSent, camelCased, statementName } from './sql';
import {
  BEGIN,
  BEGIN_BRIEFLY,
  brokeDown,
  causeOf,
  failureAmong,
  isAftermath,
  startOf,
  type Transaction,
  wasNeverSent,
} from './transaction';

export type SqlValue = unknown;

const MOST_ATTEMPTS = 3;
/** Several migrations may come one after the other while something is asked; no more than this in so short a time. */
const MOST_CHANGES = 10;
const GIVE_WAY_MS = 25;
/** A commit that nobody knows of is looked up for so long: a restart of PostgreSQL takes a second or two. */
const LOOK_UP_MS = 5_000;
const BETWEEN_LOOK_UPS_MS = 100;

export class Db {
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly connections: Connections;

  constructor(
    dataSource: DataSource,
    readonly recentTrouble = new RecentTrouble(),
  ) {
    this.connections = new Connections(dataSource, recentTrouble);
  }

  async rows<T>(sql: string, values: SqlValue[] = []): Promise<T[]> {
    return (await this.run(asked(sql, values))).rows.map((row: Record<string, unknown>) => camelCased<T>(row));
  }

  async row<T>(sql: string, values: SqlValue[] = []): Promise<T | null> {
    return (await this.rows<T>(sql, values))[0] ?? null;
  }

  /** Returns how many rows were changed. */
  async execute(sql: string, values: SqlValue[] = []): Promise<number> {
    return (await this.run(asked(sql, values))).rowCount ?? 0;
  }

  /**
   * For what nobody looks at before the commit: in a transaction it leaves at once, and the commit right behind it. Should it
   * fail, PostgreSQL commits nothing, and the transaction fails with its error.
   */
  async write(sql: string, values: SqlValue[] = []): Promise<void> {
    const answer = this.run(asked(sql, values));
    const transaction = this.current.getStore();
    if (!transaction) return void (await answer);
    answer.catch(() => undefined); // told by the commit
    transaction.writes.push(answer);
  }

  /** The now() of the caller's transaction, in microseconds. */
  get startedUs(): Promise<number> {
    const transaction = this.current.getStore();
    if (!transaction) throw new Error('Only a transaction has a start.');
    return transaction.begun;
  }

  /** The time there, to the microsecond: what was written just before a Date was made would seem to be later. */
  async moment(): Promise<string> {
    return ((await this.row<{ now: string }>('SELECT now()::text AS now')) as { now: string }).now;
  }

  /** Whether the calling code has a transaction open. */
  get isInTransaction(): boolean {
    return this.current.getStore() !== undefined;
  }

  /**
   * Runs in a transaction; joins the one that is open already. Locks are taken in one order, so that nobody waits in a
   * circle; should Postgres find one all the same, it undid everything, and the work is done again. So it is when a newer
   * version changed a table under a statement of this one.
   */
  async inTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.current.getStore() ? work() : givingWay(() => this.inShare(work));
  }

  /**
   * The same for work that shares its place with others: until it says `waitsAsUsual`, a lock that somebody holds for longer
   * than a moment ends it with a trouble that `isHeld`, and nothing was done. So does a share that others of its client have.
   */
  async inBriefTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.current.getStore() ? work() : givingWay(() => this.inShare(work, true));
  }

  /** From here on: it has what others may hold for long, and gives up no work for a lock that they are about to let go. */
  async waitsAsUsual(): Promise<void> {
    const transaction = this.current.getStore();
    if (!transaction?.briefly) return;
    await this.execute('SET LOCAL lock_timeout TO DEFAULT');
    transaction.briefly = false;
  }

  /**
   * For work that is one transaction and can be found again by a key. If the connection was lost during its commit, it is
   * looked up as soon as the database answers again, and what is found counts as what the work returned. If nothing is
   * found, or the database is away for longer, it may be done all the same: CommitUnknown tells the caller to ask again.
   */
  async foundAgain<T>(work: () => Promise<T>, look: () => Promise<T | null>, withinMs = LOOK_UP_MS): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CommitUnknown) || this.current.getStore()) throw error;
      log.warn({ event: 'database.commit_unknown', error: error.message }, 'looking up what became of it');
      const found = await this.lookUp(look, error, withinMs);
      if (found === null) throw error;
      return found;
    }
  }

  /** Runs once the transaction has committed, or at once if there is none. For wake-up calls only: it may never run. */
  afterCommit(effect: () => void): void {
    const transaction = this.current.getStore();
    if (transaction) transaction.afterCommit.push(effect);
    else effect();
  }

  /** Called before anything outside is called: a slow provider must never hold row locks. */
  assertNoTransaction(what: string): void {
    if (this.current.getStore()) throw new Error(`${what} must not run inside a database transaction.`);
  }

  /** Lets work that is started here outlive the transaction of its caller. */
  outsideTransaction<T>(work: () => T): T {
    return this.current.exit(work);
  }

  /** From now on connections are closed as they fall idle, so that somebody can wait for the last one; or kept again. */
  drain(draining: boolean): Promise<void> {
    return this.connections.drain(draining).catch(() => undefined); // what cannot be had need not be closed
  }

  /** Gives up the connections that nobody uses now: they may lead to a server that is no more. */
  /** Connections that are made from here on take the place of those that are there. */
  renewConnections = (): void => this.connections.renew();

  closeIdle(): Promise<void> {
    return this.connections.closeIdle().catch(() => undefined);
  }

  /** Gives up those that were asked, and that nobody works for. */
  endDead(workingAmong: (backends: string[]) => Promise<string[]>): Promise<void> {
    return this.connections.endDead(workingAmong);
  }

  private async inShare<T>(work: () => Promise<T>, briefly = false): Promise<T> {
    const doubt = wishInDoubt();
    if (doubt) await doubt; // and no turn without: who has a share takes its connection at once
    return this.connections.shares.run(() => this.onConnection(work, briefly), briefly);
  }

  private async onConnection<T>(work: () => Promise<T>, briefly = false): Promise<T> {
    const client = await this.connections.take();
    const begun = this.connections.ask(client, briefly ? BEGIN_BRIEFLY : BEGIN).then(startOf);
    begun.catch(() => undefined); // told by whatever comes after it
    const transaction: Transaction = {
      client,
      begun,
      afterCommit: [],
      writes: [],
      cause: null,
      mayWrite: false,
      isOver: false,
      briefly,
    };
    try {
      const result = await this.current.run(transaction, () => this.worked(transaction, work));
      await this.commit(transaction);
      this.connections.giveBack(client);
      for (const effect of transaction.afterCommit) runEffect(effect);
      return result;
    } catch (error) {
      this.connections.giveBack(client, !(await this.isRolledBack(transaction, error)));
      throw error;
    }
  }

  /** The requester may have left while this process stood still, and may have asked another process for the opposite since. */
  private async worked<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await transaction.begun;
      await wishInDoubt();
      return result;
    } catch (error) {
      throw causeOf(transaction, (await failureAmong(transaction.writes)) ?? error);
    }
  }

  /** Leaves behind what was written last, and is told only after all of it: what fails first is the cause. */
  private async commit(transaction: Transaction): Promise<void> {
    const { client, writes } = transaction;
    transaction.isOver = true;
    const commit = this.connections.ask(client, 'COMMIT');
    const failure = await failureAmong([...writes, commit]);
    const failed = failure && causeOf(transaction, failure);
    if (failed && (await brokeDown(commit))) throw new CommitUnknown(failed as Error);
    if (failed) throw isLost(failed) && !(await wasNeverSent(commit)) ? new CommitUnknown(failed as Error) : failed;
    if ((await commit).command !== 'COMMIT')
      throw new Error('The transaction was rolled back: a statement in it failed, and the work went on all the same.');
  }

  /** If it cannot be asked for, the connection is given up, and PostgreSQL does it by itself. */
  private async isRolledBack(transaction: Transaction, error: unknown): Promise<boolean> {
    const { client, begun } = transaction;
    transaction.isOver = true;
    if (isLost(error)) return false;
    return begun
      .then(() => this.connections.ask(client, 'ROLLBACK'))
      .then(
        () => true,
        () => false,
      );
  }

  private async lookUp<T>(look: () => Promise<T | null>, unknown: CommitUnknown, withinMs: number): Promise<T | null> {
    const until = performance.now() + withinMs;
    for (;;) {
      try {
        return await look();
      } catch (error) {
        if (!troubleOf(error) || performance.now() > until) throw troubleOf(error) ? unknown : error;
        await pause(BETWEEN_LOOK_UPS_MS);
      }
    }
  }

  private async run(query: QueryConfig): Promise<QueryResult> {
    const transaction = this.current.getStore();
    const { connections } = this;
    if (!transaction) return givingWay(() => connections.shares.run(() => connections.askOnce(query)));
    // A statement that only reads is sent together with BEGIN. If BEGIN failed, a write behind it would count at once, outside any transaction.
    transaction.mayWrite ||= !LOOKS.test(query.text);
    if (transaction.mayWrite) await transaction.begun;
    if (transaction.isOver) throw new Error('The transaction is over: its work must wait for all that it began.');
    const answer = this.connections.ask(transaction.client, query, transaction.briefly);
    return answer.catch((error: unknown) => {
      if (!isAftermath(error)) transaction.cause ??= error;
      throw error;
    });
  }
}

/** Fails at once for what cannot be sent, before anything of it leaves. */
const asked = (sql: string, values: SqlValue[]): QueryConfig => ({
  name: statementName(sql),
  text: sql,
  values: values.map(asSent),
});

const LOOKS = /^\s*SELECT\b/i;
/**
 * If Postgres chose this transaction to give way in a deadlock, or it met a plan of an older table, it did nothing yet, and runs again. If
 * that happens once more than it may, it is the database's trouble: others hold what it needs.
 */
async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let deadlocks = 0, changes = 0; ;) {
    try {
      return await work();
    } catch (error) {
      const isChange = isStalePlan(error) || isUnprepared(error);
      if (!isChange && !gaveWay(error)) throw error;
      if (isChange ? ++changes === MOST_CHANGES : ++deadlocks === MOST_ATTEMPTS)
        throw new DatabaseTrouble('timeout', error as Error);
      if (isChange) continue;
      log.warn({ event: 'database.deadlock', attempt: deadlocks }, 'work was chosen to give way, and runs again');
      await pause(deadlocks * GIVE_WAY_MS); // or it may be back before the other has moved
    }
  }
}

/** It is committed: what one effect meets is no failure of the work, and none of the other effects. */
function runEffect(effect: () => void): void {
  try {
    effect();
  } catch (error) {
    log.error({ event: 'database.effect_failed', stack: (error as Error).stack }, (error as Error).message);
  }
}
