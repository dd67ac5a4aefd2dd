/** A process that stands still while it migrates, or whose lock is gone: it holds nobody for good, and changes nothing alone. */
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions, migrate, type MigrationClass, MIGRATIONS } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';

const OF_THE_LOCK = `FROM pg_locks WHERE locktype = 'advisory' AND objid = 727001
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('a migration that is cut off', () => {
  let scratch: ScratchDatabase;
  let client: Client;
  beforeEach(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    client = new Client({ connectionString: scratch.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await scratch.drop();
  });

  /** Locks a table that everybody needs, and then meets what the spec says. */
  const breaking = (meets: () => Promise<unknown>): MigrationClass =>
    class Breaking9999999999999 implements MigrationInterface {
      readonly name = 'Breaking9999999999999';

      async up(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE jobs ADD COLUMN added text');
        await meets();
      }

      down(): Promise<void> {
        return Promise.resolve();
      }
    };
  const outcomeOf = (migration: MigrationClass, frozenMs?: number): Promise<unknown> => {
    const options = dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined });
    return migrate(options, { migrations: [...MIGRATIONS, migration], graceMs: 0, frozenMs }).catch((error) => error);
  };
  const added = async (): Promise<number | null> =>
    (await client.query(`SELECT FROM information_schema.columns WHERE table_name = 'jobs' AND column_name = 'added'`))
      .rowCount;

  test('by a process that stands still: others have the table again, older code goes on, and who wakes changes nothing', async () => {
    const [standsStill, wakes] = [happening(), happening()];
    const migration = breaking(() => {
      standsStill.happens();
      return wakes.promise;
    });
    const outcome = outcomeOf(migration, 200);
    await standsStill.promise;
    await client.query('SELECT FROM jobs'); // waits for as long as it is held
    while ((await client.query(`SELECT ${OF_THE_LOCK}`)).rowCount !== 0);
    wakes.happens();
    expect(await outcome).toBeInstanceOf(Error);
    expect(await added()).toBe(0);
  });

  test('by the loss of its lock: what it was about to do is not done', async () => {
    const migration = breaking(() => client.query(`SELECT pg_terminate_backend(pid, 5000) ${OF_THE_LOCK}`));
    expect(await outcomeOf(migration)).toBeInstanceOf(Error);
    expect(await added()).toBe(0);
  });
});
