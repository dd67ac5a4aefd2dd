/**
 * Looks at the database every second, on a connection that waits for no place in the pool: whether it answers, whether it
 * can be written to, what its clock says, whether it still is of this code's version. Whoever asks gets what the last look
 * found, so asking costs the database nothing.
 */
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { log } from '#libs/telemetry';
import { CODE_VERSION, FLOOR, FLOOR_CHANNEL } from './code-version';
import type { DatabaseClock } from './database-clock';
import { IS_ELSEWHERE } from './database-place';
import { connectTrouble, troubleOf, type TroubleKind } from './database-trouble';
import type { Db } from './db';
import { backendAs } from './first-question';
import { MIGRATIONS } from './migrations';
import { newClient, type StandingConnection } from './standing-connection';
import { Unconfirmed, WAITING_COMMITS } from './unconfirmed';
import type { VersionGate } from './version-gate';

const EVERY_MS = 1_000;
const ANSWER_MS = 2_000;

export interface DatabaseState {
  trouble: TroubleKind | null;
  /** Of this version's migrations. null if nobody could look. */
  missingMigrations: number | null;
  /** It belongs to a newer version, or is about to. What was seen last counts while nobody can look. */
  outdated: boolean;
  /** How far the database's clock was ahead of performance.now(), in milliseconds since 1970. null if nobody could look. */
  clockOffsetMs: number | null;
}

interface Seen {
  now: Date;
  readOnly: boolean;
  applied: number;
  floor: number;
  isElsewhere: boolean;
}

const UNSEEN = { missingMigrations: null, clockOffsetMs: null };

export class DatabaseWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private state: Omit<DatabaseState, 'outdated'> = { ...UNSEEN, trouble: 'away' };
  private readonly commits = new Unconfirmed();
  private suspect = false;
  private told: TroubleKind | null = null;
  private looking: Promise<void> | null = null;
  private marking: Promise<unknown> | null = null;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly connection: StandingConnection,
    private readonly db: Db,
    private readonly gate: VersionGate,
    /** Is told what time the database has. */
    private readonly clock: DatabaseClock,
    private readonly url: string,
  ) {
    connection.listen({
      arrived: async () => {
        await connection.ask(`LISTEN ${FLOOR_CHANNEL}`);
        await this.look();
      },
      notified: (channel) => {
        if (channel === FLOOR_CHANNEL) void this.look();
      },
      lost: (loss) => {
        this.state = { ...UNSEEN, trouble: connectTrouble(loss).kind };
        this.tell();
        void db.closeIdle();
      },
    });
    gate.onResting((resting) => void db.drain(resting));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connection.open();
    this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The result of the last look, together with what this process met since. */
  now(): DatabaseState {
    return { ...this.state, outdated: this.gate.isShut, trouble: this.state.trouble ?? this.db.recentTrouble.latest() };
  }

  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    if (!this.connection.isThere) return; // why it is not there was told
    const asked = this.clock.reading();
    try {
      const [seen] = (await this.connection.ask<Seen>(LOOK, [MIGRATIONS.map(({ name }) => name)])) as [Seen];
      const state = stateOf(seen);
      this.clock.set(seen.now, asked);
      this.gate.set(seen.floor > CODE_VERSION);
      // New ones ask where they lead to. Those that somebody between keeps for us do not tell when they lead elsewhere.
      if (seen.isElsewhere) this.haveMarked();
      await this.db.endDead((backends) => this.workingAmong(backends));
      state.trouble ??= await this.unconfirmed();
      // An open connection does not show what a new one would meet.
      if (this.suspect || this.db.recentTrouble.isWorthALook()) {
        const afresh = await this.lookAfresh();
        if (state.trouble === 'read_only' && afresh === null) this.connection.renew();
        state.trouble ??= afresh;
      }
      // Not before all was looked at: what stands would read as well for as long as that takes.
      this.state = state;
      this.suspect = state.trouble !== null;
      if (!this.suspect) this.db.recentTrouble.foundWell(asked.byTicks);
    } catch (error) {
      const trouble = troubleOf(error);
      // Any other error speaks of tables that are not there.
      this.state = trouble
        ? { ...UNSEEN, trouble: trouble.kind }
        : { ...UNSEEN, trouble: null, missingMigrations: MIGRATIONS.length };
    }
    this.tell();
  }

  /** By a new connection, also where nobody else asks for one because this process is not ready. How it went is seen by the next looks. */
  private haveMarked(): void {
    this.db.renewConnections();
    this.marking ??= this.db
      .rows('SELECT')
      .catch(() => undefined)
      .finally(() => (this.marking = null));
  }

  /** All of them, if nobody may know. */
  private async workingAmong(backends: string[]): Promise<string[]> {
    const [seen] = await this.askOfOthers<{ working: string[] }>(WORKING, [backends]);
    return seen?.working ?? backends;
  }

  private async unconfirmed(): Promise<'unconfirmed' | null> {
    return this.commits.look(await this.askOfOthers(WAITING_COMMITS)) ? 'unconfirmed' : null;
  }

  /** What other sessions do. A role may be kept from reading it: then nothing is known of them. */
  private async askOfOthers<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    try {
      return await this.connection.ask<T>(sql, values);
    } catch (error) {
      if ((error as { code?: string }).code === MAY_NOT) return [];
      throw error;
    }
  }

  private async lookAfresh(): Promise<TroubleKind | null> {
    const client = newClient(this.url, ANSWER_MS);
    client.on('error', () => undefined); // what was asked fails too
    try {
      await client.connect();
      const { rows } = await client.query<{ readOnly: boolean }>(`SELECT ${READ_ONLY} AS "readOnly"`);
      if (rows[0]?.readOnly) return 'read_only';
      await client.query(NEXT_NUMBER);
      const tables = await client.query<{ name: string }>(OURS);
      for (const { name } of tables.rows) await client.query(reach(name));
      for (const statement of SPILL) await client.query(statement);
      return null;
    } catch (error) {
      return connectTrouble(error as Error).kind;
    } finally {
      client.end().catch(() => undefined);
    }
  }

  private tell(): void {
    const { trouble } = this.now();
    if (trouble === this.told) return;
    if (trouble) log.error({ event: 'database.trouble', kind: trouble }, 'not ready until the database is well again');
    else log.info({ event: 'database.well' }, 'the database is well again');
    this.told = trouble;
  }
}

function stateOf({ now, readOnly, applied, isElsewhere }: Seen): Omit<DatabaseState, 'outdated'> {
  return {
    trouble: readOnly ? 'read_only' : isElsewhere ? 'unmarked' : null,
    missingMigrations: MIGRATIONS.length - applied,
    clockOffsetMs: now.getTime() - performance.now(),
  };
}

const READ_ONLY = `(pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean)`;

const LOOK = `
  SELECT clock_timestamp() AS now, ${READ_ONLY} AS "readOnly", ${FLOOR} AS floor, ${IS_ELSEWHERE} AS "isElsewhere",
    (SELECT count(*)::int FROM migrations WHERE name = ANY($1)) AS applied`;

/** What was answered a moment ago may be about to be read; and a server may be set to tell of nobody what they do. */
const WORKING = `
  SELECT ARRAY(SELECT ${backendAs('pid')} FROM pg_stat_activity
    WHERE ${backendAs('pid')} = ANY($1::text[]) AND (coalesce(state NOT LIKE 'idle%', true) OR state_change > clock_timestamp() - interval '2 seconds')) AS working`;

const MAY_NOT = '42501';

/** Of a transaction: without one nothing is written. */
const NEXT_NUMBER = 'SELECT pg_current_xact_id()';

const OURS = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::text::regnamespace AND pg_has_role(relowner, 'USAGE') ORDER BY oid`;

/**
 * Somebody who keeps a whole table from being written is everybody's trouble. The look locks it as a change would, asks for no row, and
 * lets it go before the next one: so looks never wait in a circle.
 */
const reach = (table: string): string =>
  `BEGIN; SET LOCAL lock_timeout = '1s'; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE; ROLLBACK`;

/** Sorts more than fits into memory: PostgreSQL then needs room on its disk, and leaves nothing behind. */
const SPILL = [
  `SET work_mem = '64kB'`,
  'SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY -n OFFSET 0) AS sorted',
];
