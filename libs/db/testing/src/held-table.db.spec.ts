/** An upgrade while somebody reads a table for long, as a backup does: whoever uses the table goes on meanwhile. */
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions, migrate, type MigrationClass, MIGRATIONS } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';

describe('a migration of a table that somebody reads', () => {
  let scratch: ScratchDatabase;
  const clients: Client[] = [];
  const connected = async (): Promise<Client> => {
    const client = new Client({ connectionString: scratch.url });
    await client.connect();
    clients.push(client);
    return client;
  };
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await scratch.drop();
  });

  test('keeps nobody from the table, and is done once it is free', async () => {
    const begun = happening();
    class Adding9999999999999 implements MigrationInterface {
      static readonly besideOlderCode = true;
      readonly name = 'Adding9999999999999';

      async up(runner: QueryRunner): Promise<void> {
        begun.happens();
        await runner.query('ALTER TABLE jobs ADD COLUMN added text');
      }

      down(): Promise<void> {
        return Promise.resolve();
      }
    }
    const [backup, used] = [await connected(), await connected()];
    await backup.query('BEGIN; LOCK TABLE jobs IN ACCESS SHARE MODE');
    const options = dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined });
    const migrations = [...MIGRATIONS, Adding9999999999999] as MigrationClass[];
    const migrating = migrate(options, { migrations });
    await begun.promise;
    // Behind one that waits for good this would wait for good, as what others ask of the table does.
    await used.query(`SET lock_timeout = '20s'`);
    for (let times = 0; times < 3; times += 1) await used.query('UPDATE jobs SET attempts = attempts');
    await backup.query('COMMIT');
    expect(await migrating).toEqual(['Adding9999999999999']);
    expect((await used.query('SELECT added FROM jobs')).rows).toEqual([]);
  });
});
