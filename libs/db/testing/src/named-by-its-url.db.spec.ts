/**
 * Which sessions are of which version is told by their application_name. An operator may name one in DATABASE_URL, as many do for their
 * monitoring: older processes are waited for, and ended, all the same.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions, type Db, migrate, type MigrationClass, MIGRATIONS } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const INDEX = 'payouts_held_by_client';
const HeldByClient = MIGRATIONS.find(({ name }) => name === 'HeldByClient1763600000076') as MigrationClass;

class Breaking9999999999999 implements MigrationInterface {
  readonly name: string = 'Breaking9999999999999';
  up = (runner: QueryRunner): Promise<unknown> => runner.query('CREATE TABLE seen (n integer)');
  async down(): Promise<void> {}
}
class Index9999999999999 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name: string = 'Index9999999999999';
  readonly transaction = false;
  up = (runner: QueryRunner): Promise<void> => new HeldByClient().up(runner);
  async down(): Promise<void> {}
}

describe('a service whose DATABASE_URL names its application', () => {
  let scratch: ScratchDatabase;
  let url: string;
  let db: Db;
  let close: () => Promise<void>;
  beforeEach(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    url = `${scratch.url}?application_name=payouts`;
    ({ db, close } = await openDb(url));
  });
  afterEach(async () => {
    await close();
    await scratch.drop();
  });

  const migrateTo = (more: MigrationClass): Promise<string[]> =>
    migrate(dataSourceOptions({ url, poolSize: 2, onPoolError: () => undefined }), {
      migrations: [...MIGRATIONS, more],
      graceMs: 200,
    });

  test('what an older process has under way is ended before the migration that it does not understand', async () => {
    const order: string[] = [];
    let go: () => void = () => undefined;
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const work = db
      .inTransaction(async () => {
        await db.execute('SELECT 1');
        begun();
        await mayGo;
        await db.execute('SELECT FROM payouts LIMIT 1');
      })
      .then(() => order.push('older code finishes'))
      .catch(() => order.push('older code is ended'));
    await hasBegun;
    await migrateTo(Breaking9999999999999);
    go();
    await work;
    expect(order).toEqual(['older code is ended']);
  });

  test('an index is built beside processes that work', async () => {
    const other = new Client({ connectionString: scratch.url });
    await other.connect();
    await other.query(`DROP INDEX ${INDEX}`);
    await db.execute('SELECT 1'); // a process of ours is there
    const writer = new Client({ connectionString: scratch.url });
    await writer.connect();
    await writer.query(`BEGIN; UPDATE payouts SET status_reason = status_reason`);
    const migrating = migrateTo(Index9999999999999);
    const built = 'SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1';
    let found: { query: string }[] = [];
    while (found.length === 0) {
      await pause(50);
      found = (await other.query(built, [`CREATE INDEX%${INDEX}%`])).rows as { query: string }[];
    }
    await writer.query('COMMIT');
    await migrating;
    await Promise.all([other.end(), writer.end()]);
    expect(found[0]?.query).toContain('CONCURRENTLY');
  });
});
