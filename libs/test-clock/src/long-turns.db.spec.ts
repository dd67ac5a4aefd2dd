/** Of all test clients with many rows one is moved or reset at a time, over all processes; the others wait without a connection. */
import type { Db } from '#libs/db';
import { happening, openDb, type ScratchDb, scratchDb } from '#libs/db/testing';
import { Rails } from '#libs/rail-registry';
import { clientWith } from '../testing/rows-of-a-client';
import { ClockStore } from './db/clock.store';
import { MANY_ROWS, NotItsTurn } from './db/long-turn';
import { ResetStore } from './db/reset.store';
import { LongTurns } from './use-cases/long-turns';

type Hold = (db: Db, clientId: string) => Promise<unknown>;

const rails = new Rails([], 'here');
const KINDS: Record<string, Hold> = {
  move: (db, clientId) => new ClockStore(db, rails).hold(clientId),
  reset: (db, clientId) => new ResetStore(db, rails).hold(clientId),
};
const kinds = Object.entries(KINDS);

describe('while a client with many rows is moved or reset by one process', () => {
  let here: ScratchDb;
  let there: Awaited<ReturnType<typeof openDb>>;
  let [large, other, small]: string[] = [];
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    here = await scratchDb();
    there = await openDb(here.url);
    [large, other, small] = await Promise.all([MANY_ROWS, MANY_ROWS, 1].map((payees) => clientWith(here.db, payees)));
  });
  afterAll(async () => {
    await there.close();
    await here.drop();
  });
  afterEach(() => end());

  /** Until `end`. */
  const hold = async (of: Hold): Promise<void> => {
    const [held, mayEnd] = [happening(), happening()];
    const holder = here.db.inTransaction(async () => {
      await of(here.db, large as string);
      held.happens();
      await mayEnd.promise;
    });
    end = () => (mayEnd.happens(), holder);
    await Promise.race([held.promise, holder]);
  };
  const holdThere = (of: Hold, clientId = other as string) => there.db.inTransaction(() => of(there.db, clientId));

  describe.each(kinds)('by a %s', (_, first) => {
    beforeEach(() => hold(first));

    test.each(kinds)(
      'a %s of another one with many rows is told to wait, holding nothing, and goes afterwards',
      async (__, second) => {
        await expect(holdThere(second)).rejects.toBeInstanceOf(NotItsTurn);
        await end();
        await expect(holdThere(second)).resolves.toBeUndefined();
      },
    );

    test.each(kinds)('a %s of one with few rows goes at once', async (__, second) => {
      await expect(holdThere(second, small)).resolves.toBeUndefined();
    });
  });

  test('whoever waits is tried again until the turn is free, also if the process that has it is lost', async () => {
    await hold(KINDS.move as Hold);
    const triedInVain = happening();
    const waiting = new LongTurns(there.db).run(other as string, async () => {
      await holdThere(KINDS.move as Hold).catch((error: Error) => (triedInVain.happens(), Promise.reject(error)));
      return 'done';
    });
    await triedInVain.promise;
    await there.db.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await expect(end()).rejects.toThrow();
    end = () => Promise.resolve();
    expect(await waiting).toBe('done');
  });
});
