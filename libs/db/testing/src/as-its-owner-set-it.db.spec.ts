/** What the owner of a database set it to does not change how this service reads it, nor what it does beside others. */
import { openDb, scratchDatabase } from './scratch-database';

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
