/**
 * Connections of TypeORM's pool. Statements leave without waiting for the answers to those before them, and what is asked in
 * one turn of the event loop leaves as one packet; answers come in the same order. What goes wrong is named where it happens, and remembered
 * for readiness; a connection that broke is not handed out again, nor one that cannot write, nor one that prepared its
 * statements for tables that a newer version changed since.
 */
import type { Socket } from 'node:net';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';
import { SILENT_AFTER_MS } from './data-source';
import { connectTrouble, DatabaseTrouble, isStalePlan, isUnprepared, troubleOf } from './database-trouble';
import { backendOf } from './first-question';
import type { RecentTrouble } from './recent-trouble';
import { asker, Shares } from './shares';
import { Silence } from './silence';

const SILENT = 'Connection terminated: PostgreSQL said nothing for too long';
const LEADS_NOWHERE = 'Connection terminated: nothing that was asked is at work at its other end';
/** Whoever waits for a lock is silent for longer. So it is only asked then what its other end does. */
const SUSPECT_MS = 3_000;
const PLACE = 'a place in the pool';
const CONNECTION = 'a new connection';
/** Of the driver. */
const USUAL_POOL = 10;
/** The driver's own limit counts from when a statement left, whatever was ahead of it. As long as a timer can be. */
const BY_SILENCE = { query_timeout: 2 ** 31 - 1 };

export class Connections {
  /** For each connection, how many changes had been noticed when it began, of tables or of who may write. */
  private readonly known = new WeakMap<PoolClient, number>();
  private readonly silences = new Map<PoolClient, Silence>();
  private changes = 0;
  private draining = false;

  /** Of this process's connections. */
  readonly shares = new Shares({ most: () => this.most, free: () => this.free() });

  constructor(
    private readonly dataSource: DataSource,
    private readonly recent: RecentTrouble,
  ) {}

  async take(): Promise<PoolClient> {
    for (;;) {
      const client = await this.connect();
      if (!this.isStale(client)) return client;
      client.release(true);
    }
  }

  /** `briefly`: that somebody holds a lock is what was asked, and nothing to remember. */
  async ask(client: PoolClient, query: QueryConfig | string, briefly = false): Promise<QueryResult> {
    const asked = typeof query === 'string' ? { text: query } : query;
    const what = asked.text;
    gather(client);
    try {
      const result = await this.silenceOf(client).during(client.query({ ...asked, ...BY_SILENCE }));
      this.recent.over(what);
      return result;
    } catch (error) {
      const trouble = this.learn(client, error);
      if (briefly && trouble?.isHeld) throw trouble;
      throw trouble ? this.recent.note(what, trouble, asker()) : error;
    }
  }

  /** One statement on a connection of its own. */
  async askOnce(query: QueryConfig): Promise<QueryResult> {
    const client = await this.take();
    try {
      const result = await this.ask(client, query);
      this.giveBack(client);
      return result;
    } catch (error) {
      this.giveBack(client, isLost(error));
      throw error;
    }
  }

  /** One that broke, or that nobody is to use any more, is closed. */
  giveBack(client: PoolClient, isBroken = false): void {
    client.release(isBroken || this.draining || this.isStale(client));
    this.shares.look();
  }

  /** From now on connections are closed as they fall idle, or kept again. */
  async drain(draining: boolean): Promise<void> {
    this.draining = draining;
    if (draining) await this.closeIdle();
  }

  /** Those that are there now are handed out no more. */
  renew(): void {
    this.changes += 1;
  }

  async closeIdle(): Promise<void> {
    while (this.pool.idleCount > 0) (await this.pool.connect()).release(true);
  }

  /**
   * Ends what leads nowhere, as after a host that vanished without a word: it was asked, and those who work among the backends at the other
   * ends are others. What was answered meanwhile is read before the second look.
   */
  async endDead(workingAmong: (backends: string[]) => Promise<string[]>): Promise<void> {
    const before = this.suspects;
    if (before.size === 0) return;
    const working = new Set(await workingAmong([...before.values()]));
    const dead = [...this.suspects].filter(([client, backend]) => before.has(client) && !working.has(backend));
    for (const [client] of dead) socketOf(client).destroy(new Error(LEADS_NOWHERE));
  }

  /** What a failure tells about this connection, and about all others. */
  private learn(client: PoolClient, error: unknown): DatabaseTrouble | null {
    const trouble = troubleOf(error);
    // Sessions that began read-only stay so, and so do those that lead to where nobody writes any more.
    const concernsAll = isStalePlan(error) || trouble?.kind === 'read_only';
    if (concernsAll && !this.isStale(client)) this.renew();
    if (isUnprepared(error)) this.known.delete(client);
    return trouble;
  }

  private async connect(): Promise<PoolClient> {
    const client = await this.pool.connect().catch((error: Error) => {
      const trouble = connectTrouble(error);
      throw this.recent.note(trouble.kind === 'busy' ? PLACE : CONNECTION, trouble);
    });
    this.recent.over(PLACE);
    if (!this.known.has(client)) {
      this.recent.over(CONNECTION);
      this.known.set(client, this.changes);
    }
    return client;
  }

  private silenceOf(client: PoolClient): Silence {
    const known = this.silences.get(client);
    if (known) return known;
    const { query_timeout: afterMs = SILENT_AFTER_MS } = this.pool.options as { query_timeout?: number };
    const silence = new Silence(afterMs, () => socketOf(client).destroy(new Error(SILENT)));
    this.silences.set(client, silence);
    client.once('end', () => this.silences.delete(client));
    return silence;
  }

  /** With who is at their other end. */
  private get suspects(): Map<PoolClient, string> {
    const silent = [...this.silences].filter(([, { ms }]) => ms > SUSPECT_MS);
    return new Map(silent.map(([client]) => [client, backendOf(client)]));
  }

  private isStale(client: PoolClient): boolean {
    return this.known.get(client) !== this.changes;
  }

  private get most(): number {
    const { extra } = this.dataSource.options as { extra?: { max?: number } };
    return extra?.max ?? USUAL_POOL;
  }

  /** Also those that were not made yet; less than none if somebody waits for one. */
  private free(): number {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return this.most - (totalCount - idleCount) - waitingCount;
  }

  /** TypeORM's own pool, so that migrations and statements share one set of connections. */
  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

const gathering = new WeakSet<Socket>();

/** From now on, what is written to this connection is sent once the event loop has turned. */
function gather(client: PoolClient): void {
  const stream = socketOf(client);
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  setImmediate(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}

/** Nothing more can be asked on a connection whose statement met this. */
export function isLost(error: unknown): boolean {
  return error instanceof DatabaseTrouble && error.kind === 'away';
}
