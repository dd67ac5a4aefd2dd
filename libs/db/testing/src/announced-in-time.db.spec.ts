/**
 * Older processes stand still from when a version is announced. So nothing is announced that need not be yet, nothing is waited for meanwhile
 * that has nothing to do with us, and what somebody announced who is gone counts no more.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  CODE_VERSION,
  dataSourceOptions,
  FIRST_QUESTION,
  migrate,
  type MigrationClass,
  MIGRATIONS,
  sessionNameOf,
} from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';

const ADD = 'ALTER TABLE payouts ADD COLUMN spec_only integer';
const INDEX = 'payouts_held_by_client';
/** It builds that index. */
const HeldByClient = MIGRATIONS.find(({ name }) => name === 'HeldByClient1763600000076') as MigrationClass;
const NEWEST = 9999999999999;

class Breaking9999999999998 implements MigrationInterface {
  readonly name: string = 'Breaking9999999999998';
  up = (runner: QueryRunner): Promise<unknown> => runner.query(ADD);
  async down(): Promise<void> {}
}
class Index9999999999999 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name: string = 'Index9999999999999';
  readonly transaction = false;
  up = (runner: QueryRunner): Promise<void> => new HeldByClient().up(runner);
  async down(): Promise<void> {}
}
class Index9999999999997 extends Index9999999999999 {
  override readonly name = 'Index9999999999997';
}
class Breaking9999999999999 extends Breaking9999999999998 {
  override readonly name = 'Breaking9999999999999';
}

const BUILDING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%${INDEX}%'
  AND state = 'active' AND wait_event_type = 'Lock'`;

describe('a version that older code must not see', () => {
  let scratch: ScratchDatabase;
  const clients: Client[] = [];
  const connected = async (name = 'somebody else'): Promise<Client> => {
    const client = new Client({ connectionString: scratch.url, application_name: name });
    client.on('error', () => undefined); // an older process is ended in the end
    await client.connect();
    clients.push(client);
    return client;
  };
  const olderProcess = (): Promise<Client> => connected(sessionNameOf(CODE_VERSION));
  const floor = async (client: Client): Promise<number | undefined> =>
    (await client.query<{ floor: number }>(FIRST_QUESTION)).rows[0]?.floor;
  const until = async (client: Client, question: string): Promise<void> => {
    while ((await client.query(question)).rowCount === 0) await pause(20);
  };
  const migrateTo = (...more: MigrationClass[]): Promise<string[]> =>
    migrate(dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined }), {
      migrations: [...MIGRATIONS, ...more],
      graceMs: 200,
    });
  /** In a transaction that sees what was there when it began, of a table that is none of ours. */
  const reading = async (): Promise<Client> => {
    const analyst = await connected();
    await analyst.query('CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.numbers AS SELECT 1 AS n');
    await analyst.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM elsewhere.numbers');
    return analyst;
  };
  /** As a version that announced itself and was killed: its lock is free, and its word is there. */
  const announcedAndKilled = (client: Client): Promise<unknown> =>
    client.query(`UPDATE code_floor SET announced_code = ${NEWEST}`);

  beforeEach(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    await (await connected()).query(`DROP INDEX ${INDEX}`);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await scratch.drop();
  });

  test('is announced once the indexes before it are built', async () => {
    const [analyst, older] = [await reading(), await olderProcess()];
    const done = migrateTo(Index9999999999997, Breaking9999999999998);
    await until(older, BUILDING);
    expect(await floor(older)).toBeLessThanOrEqual(CODE_VERSION);
    await analyst.query('COMMIT');
    expect(await done).toEqual([Index9999999999997.name, Breaking9999999999998.name]);
  }, 60_000);

  test('waits for nobody elsewhere to build an index after it', async () => {
    await Promise.all([reading(), olderProcess()]);
    expect(await migrateTo(Breaking9999999999998, Index9999999999999)).toHaveLength(2);
    const { rows } = await (
      await connected()
    ).query(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${INDEX}')`);
    expect(rows).toEqual([{ indisvalid: true }]);
  }, 60_000);

  test('is no longer announced by one that was killed, while it is started again and waits for a backup', async () => {
    const [backup, older] = [await connected(), await olderProcess()];
    await announcedAndKilled(older);
    await backup.query('BEGIN; LOCK TABLE payouts IN ACCESS SHARE MODE');
    const done = migrateTo(Breaking9999999999999);
    await until(older, 'SELECT FROM code_floor WHERE announced_code IS NULL');
    expect(await floor(older)).toBeLessThanOrEqual(CODE_VERSION);
    await backup.query('COMMIT');
    await done;
  }, 60_000);

  test('is no longer announced by one that was killed, while another that goes beside older code builds an index', async () => {
    const [analyst, older] = [await reading(), await olderProcess()];
    await announcedAndKilled(older);
    const done = migrateTo(Index9999999999997);
    await until(older, BUILDING);
    expect(await floor(older)).toBeLessThanOrEqual(CODE_VERSION);
    await analyst.query('COMMIT');
    await done;
  }, 60_000);
});
