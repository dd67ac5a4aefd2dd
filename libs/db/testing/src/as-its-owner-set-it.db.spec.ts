/** What the owner of a database set it to does not change how this service reads it, nor what it does beside others. */
import { dataSourceOptions, migrate, StandingConnection } from '#libs/db';
import { openDb, scratchDatabase } from './scratch-database';

const fail = (error: Error): never => {
  throw error;
};

/** A new connection to a database that was set so. */
async function inDatabaseSetTo<T>(
  setting: string,
  look: (opened: Awaited<ReturnType<typeof openDb>>) => Promise<T>,
): Promise<T> {
  const scratch = await scratchDatabase();
  const before = await openDb(scratch.url);
  await before.db.execute(`ALTER DATABASE ${new URL(scratch.url).pathname.slice(1)} SET ${setting}`);
  await before.close();
  const opened = await openDb(scratch.url);
  try {
    return await look(opened);
  } finally {
    await opened.close();
    await scratch.drop();
  }
}

test('dates can be read, also if it writes them as people do: of a key that was revoked, when it was', async () => {
  const revoked = { at: new Date('2026-02-01T10:00:00Z') };
  const read = await inDatabaseSetTo(`datestyle TO 'SQL, DMY'`, ({ db }) =>
    db.row('SELECT $1::timestamptz AS at', [revoked.at]),
  );
  expect(read).toEqual(revoked);
});

test('who waits for a row goes on with what it has become, also if its transactions are to see nothing new', async () => {
  const read = await inDatabaseSetTo(`default_transaction_isolation TO 'serializable'`, ({ db }) =>
    db.inTransaction(() => db.row('SHOW transaction_isolation')),
  );
  expect(read).toEqual({ transactionIsolation: 'read committed' });
});

test.each([
  ['synchronous_commit', 'on', 'off'],
  ['array_nulls', 'on', 'off'],
  ['idle_session_timeout', '0', '1s'],
])('%s is %s, also if it was set to %s', async (name, ours, theirs) => {
  const read = await inDatabaseSetTo(`${name} TO '${theirs}'`, ({ db }) =>
    db.row('SELECT current_setting($1) AS ours', [name]),
  );
  expect(read).toEqual({ ours });
});

test('a schema that the address names has all tables', async () => {
  const scratch = await scratchDatabase();
  const before = await openDb(scratch.url);
  await before.db.execute('CREATE SCHEMA theirs');
  await before.close();
  const url = new URL(scratch.url);
  url.searchParams.set('options', '-c search_path=theirs');
  await migrate(dataSourceOptions({ url: url.href, poolSize: 2, onPoolError: fail }));
  const { db, close } = await openDb(url.href);
  expect(await db.row(`SELECT to_regclass('theirs.payouts') IS NOT NULL AS there`)).toEqual({ there: true });
  await close();
  await scratch.drop();
});

test('so it is if the address has options, and these count beside', async () => {
  const scratch = await scratchDatabase();
  const url = new URL(scratch.url);
  url.searchParams.set('options', '-c datestyle=SQL -c default_transaction_isolation=serializable -c work_mem=1MB');
  const { db, close } = await openDb(url.href);
  const sees = `SELECT 'epoch'::timestamptz AS at, current_setting('jit') AS jit, current_setting('work_mem') AS memory,
    current_setting('transaction_isolation') AS isolation`;
  expect(await db.inTransaction(() => db.row(sees))).toEqual({
    ...{ at: new Date(0), jit: 'off' },
    ...{ memory: '1MB', isolation: 'read committed' },
  });
  await close();
  const standing = new StandingConnection(url.href);
  await standing.open();
  expect(await standing.ask(`SELECT 'epoch'::timestamptz AS at`)).toEqual([{ at: new Date(0) }]);
  await standing.onApplicationShutdown();
  await scratch.drop();
});
