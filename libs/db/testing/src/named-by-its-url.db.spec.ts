/**
 * Which sessions are of which version is told by their application_name. An operator may name one in DATABASE_URL, as many do for their
 * monitoring: older processes are waited for, and ended, all the same.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions, type Db, migrate, type MigrationClass, MIGRATIONS } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const INDEX = 'payouts_held_by_client';
const HeldByClient = MIGRATIONS.find(({ name }) => name === 'HeldByClient1763600000076') as MigrationClass;

const BUILDING = 'SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1';

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
    const [begun, mayGo] = [happening(), happening()];
    const work = db
      .inTransaction(async () => {
        await db.execute('SELECT 1');
        begun.happens();
        await mayGo.promise;
        await db.execute('SELECT FROM payouts LIMIT 1');
      })
      .then(() => order.push('older code finishes'))
      .catch(() => order.push('older code is ended'));
    await begun.promise;
    await migrateTo(Breaking9999999999999);
    mayGo.happens();
    await work;
    expect(order).toEqual(['older code is ended']);
  });

  test('an index is built beside processes that work', async () => {
    await db.execute('SELECT 1'); // a process of ours is there
    const other = new Client({ connectionString: scratch.url });
    const writer = new Client({ connectionString: scratch.url });
    await Promise.all([other.connect(), writer.connect()]);
    try {
      await other.query(`DROP INDEX ${INDEX}`);
      await writer.query(`BEGIN; UPDATE payouts SET status_reason = status_reason`);
      let isOver = false;
      const migrating = migrateTo(Index9999999999999).finally(() => (isOver = true));
      const building = async (): Promise<string | undefined> =>
        (await other.query<{ query: string }>(BUILDING, [`CREATE INDEX%${INDEX}%`])).rows[0]?.query;
      let found = await building();
      for (; !found && !isOver; found = await building()) await pause(50);
      await writer.query('COMMIT');
      await migrating;
      expect(found).toContain('CONCURRENTLY');
    } finally {
      await Promise.all([other.end(), writer.end()]);
    }
  });
});
