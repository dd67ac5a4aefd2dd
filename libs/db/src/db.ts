/**
 * The one way to Postgres: SQL statements, prepared under a name of their own, on TypeORM's pool, inside the transaction
 * of the calling code where there is one. Nothing that talks to the outside may run inside a transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { log } from '#libs/telemetry';

type Lastly = (items: unknown[]) => Promise<void>;

interface Transaction {
  client: PoolClient;
  afterCommit: (() => void)[];
  lastly: Map<Lastly, unknown[]>;
}

export type SqlValue = unknown;

const DEADLOCK = '40P01';
const MOST_ATTEMPTS = 3;

@Injectable()
export class Db {
  private readonly current = new AsyncLocalStorage<Transaction>();

  constructor(private readonly dataSource: DataSource) {}

  async rows<T>(sql: string, values: SqlValue[] = []): Promise<T[]> {
    return (await this.run(sql, values)).rows.map((row: Record<string, unknown>) => camelCased<T>(row));
  }

  async row<T>(sql: string, values: SqlValue[] = []): Promise<T | null> {
    return (await this.rows<T>(sql, values))[0] ?? null;
  }

  /** Answers how many rows were changed. */
  async execute(sql: string, values: SqlValue[] = []): Promise<number> {
    return (await this.run(sql, values)).rowCount ?? 0;
  }

  /**
   * Runs in a transaction; joins the one that is open already. Locks are taken in one order, so that nobody waits in a
   * circle; should Postgres find one all the same, it undid everything, and the work is done again.
   */
  async inTransaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return work();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.onConnection(work);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || (error as { code?: string }).code !== DEADLOCK) throw error;
        log.warn({ event: 'database.deadlock', attempt }, 'a transaction was chosen to give way, and runs again');
      }
    }
  }

  private async onConnection<T>(work: () => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      return await this.commit(client, work);
    } finally {
      client.release();
    }
  }

  /** Runs once the transaction has committed, or at once where there is none. For wake-up calls only: it may never run. */
  afterCommit(effect: () => void): void {
    const transaction = this.current.getStore();
    if (transaction) transaction.afterCommit.push(effect);
    else effect();
  }

  /**
   * Collects what one statement does right before the commit: rows that many transactions change are locked last, all at
   * once, and for a short time. Outside of a transaction it is done now. `work` is always the same function.
   */
  async lastly<T>(work: (items: T[]) => Promise<void>, items: T[]): Promise<void> {
    const transaction = this.current.getStore();
    if (!transaction) return work(items);
    const known = transaction.lastly.get(work as Lastly) ?? [];
    transaction.lastly.set(work as Lastly, [...known, ...items]);
  }

  /** Whoever is about to call the outside asks this first: a slow provider must never hold row locks. */
  assertNoTransaction(what: string): void {
    if (this.current.getStore()) throw new Error(`${what} must not run inside a database transaction.`);
  }

  /** Lets work that is started here outlive the transaction of its caller. */
  outsideTransaction<T>(work: () => T): T {
    return this.current.exit(work);
  }

  private async commit<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
    const transaction: Transaction = { client, afterCommit: [], lastly: new Map() };
    try {
      await client.query('BEGIN');
      const result = await this.current.run(transaction, work);
      for (const [last, items] of transaction.lastly) await this.current.run(transaction, () => last(items));
      await client.query('COMMIT');
      for (const effect of transaction.afterCommit) effect();
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // the connection may be what failed; the first error counts
      throw error;
    }
  }

  private async run(sql: string, values: SqlValue[]): Promise<QueryResult> {
    const query = { name: statementName(sql), text: sql, values };
    const transaction = this.current.getStore();
    if (transaction) return transaction.client.query(query);
    return this.pool.query(query);
  }

  /** TypeORM's own pool, so that migrations and statements share one set of connections. */
  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

const names = new Map<string, string>();

/** Statement texts are few and fixed: values never stand in them. */
function statementName(sql: string): string {
  let name = names.get(sql);
  if (!name) {
    name = `gw_${createHash('sha1').update(sql).digest('hex').slice(0, 16)}`;
    names.set(sql, name);
  }
  return name;
}

const properties = new Map<string, string>();

function camelCased<T>(row: Record<string, unknown>): T {
  const result: Record<string, unknown> = {};
  for (const column in row) {
    let property = properties.get(column);
    if (!property) {
      property = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      properties.set(column, property);
    }
    result[property] = row[column];
  }
  return result as T;
}
