/** A process stands still when the database has told the time and it has not read that yet: what it reads then is old. */
import { Client } from 'pg';
import { DatabaseClock, DatabaseWatch, StandingConnection, VersionGate } from '#libs/db';
import { systemClock } from '#libs/domain';
import { setLogLevel } from '#libs/telemetry';
import { openDb, scratchDatabase } from './scratch-database';

const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('whoever stood still between the answer and its reading does not take it for the time', async () => {
  setLogLevel('silent');
  const scratch = await scratchDatabase();
  const { db, close } = await openDb(scratch.url);
  const other = new Client(scratch.url);
  await other.connect();
  const connection = new StandingConnection(scratch.url);
  const clock = new DatabaseClock();
  const watch = new DatabaseWatch(connection, db, new VersionGate(), clock, scratch.url);
  await watch.onApplicationBootstrap();

  // Both answers are there before either is read, and it stands still as it has read the first.
  const ask = connection.ask.bind(connection);
  const set = clock.set.bind(clock);
  const late = await new Promise<number>((resolve) => {
    jest.spyOn(connection, 'ask').mockImplementationOnce((sql: string, values?: unknown[]) => {
      void other.query('SELECT 1').then(() => standStill(1_500));
      const answer = ask(sql, values);
      void Promise.resolve().then(() => process.nextTick(() => standStill(200)));
      return answer as Promise<never[]>;
    });
    jest.spyOn(clock, 'set').mockImplementationOnce((...told) => {
      set(...told);
      resolve(systemClock.now().getTime() - clock.now().getTime());
    });
  });
  expect(late).toBeLessThanOrEqual(0);

  jest.restoreAllMocks();
  watch.onApplicationShutdown();
  await connection.onApplicationShutdown();
  await other.end();
  await close();
  await scratch.drop();
});
