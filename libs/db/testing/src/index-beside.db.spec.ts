/** An index that a migration builds while others go on: what they have under way, a build that was cut off, and older code that is started. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { CODE_VERSION, dataSourceOptions, migrate, sessionNameOf } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';

const NAME = 'HeldByClient1763600000076';
const INDEX = 'payouts_held_by_client';
const BUILDING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%${INDEX}%'
  AND state = 'active' AND wait_event_type = 'Lock'`;
const BUILT = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${INDEX}')`;
const WRITE = 'UPDATE payouts SET status_reason = status_reason';

describe('an index that is built beside others', () => {
  let scratch: ScratchDatabase;
  const clients: Client[] = [];
  const connected = async (): Promise<Client> => {
    const client = new Client({ connectionString: scratch.url, application_name: sessionNameOf(CODE_VERSION) });
    await client.connect();
    clients.push(client);
    return client;
  };
  const migrating = (): Promise<string[]> =>
    migrate(dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined }));
  const until = async (client: Client, question: string): Promise<void> => {
    while ((await client.query(question)).rowCount === 0) await pause(20);
  };

  beforeEach(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    await (await connected()).query(`DROP INDEX ${INDEX}; DELETE FROM migrations WHERE name = '${NAME}'`);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await scratch.drop();
  });

  test('waits for what is under way for longer than a table is waited for, while others write, and other processes start', async () => {
    const [slow, used] = [await connected(), await connected()];
    await slow.query(`BEGIN; ${WRITE}`);
    const first = migrating();
    await until(used, BUILDING);
    const second = migrating();
    await used.query(`SET lock_timeout = '5s'`);
    do await used.query(WRITE);
    while ((await used.query(`${BUILDING} AND clock_timestamp() - query_start > interval '1 second'`)).rowCount === 0);
    await slow.query('COMMIT');
    expect((await Promise.all([first, second])).flat()).toEqual([NAME]);
    expect((await used.query(BUILT)).rows).toEqual([{ indisvalid: true }]);
  }, 60_000);

  test('is built anew after a build that was cut off', async () => {
    const [slow, cut, used] = [await connected(), await connected(), await connected()];
    await slow.query(`BEGIN; ${WRITE}`);
    await cut.query(`SET lock_timeout = '100ms'`);
    await expect(cut.query(`CREATE INDEX CONCURRENTLY ${INDEX} ON payouts (client_id)`)).rejects.toThrow();
    await slow.query('COMMIT');
    expect((await used.query(BUILT)).rows).toEqual([{ indisvalid: false }]);
    expect(await migrating()).toEqual([NAME]);
    expect((await used.query(BUILT)).rows).toEqual([{ indisvalid: true }]);
    expect(await migrating()).toEqual([]);
  });

  test('lets a process of an older version start that waits for the same lock in one statement', async () => {
    const [slow, older, used] = [await connected(), await connected(), await connected()];
    await slow.query(`BEGIN; ${WRITE}`);
    const done = migrating();
    await until(used, BUILDING);
    // Else it may be the one of the two that is ended. Started again, it is not waited for: it is younger than the build.
    await older.query(`SET deadlock_timeout = '1min'`);
    const started = older
      .query('SELECT pg_advisory_lock(727001)')
      .then(() => older.query('SELECT pg_advisory_unlock(727001)'));
    await until(used, `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 727001 AND NOT granted`);
    await slow.query('COMMIT');
    await started;
    expect(await done).toEqual([NAME]);
    expect((await used.query(BUILT)).rows).toEqual([{ indisvalid: true }]);
  }, 60_000);
});
