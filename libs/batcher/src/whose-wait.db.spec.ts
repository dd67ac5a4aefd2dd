/** Calls of one client that wait together are met by one client, and say nothing about the database (ADR 31). */
import { type Db } from '#libs/db';
import { holding, openDb, scratchDb, type ScratchDb } from '#libs/db/testing';
import { Batcher } from './batcher';

const KINDS = ['first', 'second', 'third'];

describe('batches that wait for what somebody holds', () => {
  let scratch: ScratchDb;
  let impatient: { db: Db; close(): Promise<void> };
  let letGo: () => Promise<unknown>;
  beforeEach(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int)');
    await scratch.db.execute('INSERT INTO notes VALUES (1)');
    impatient = await openDb(scratch.url, { lock_timeout: 50 });
    letGo = await holding(scratch.db, 'SELECT FROM notes FOR UPDATE', []);
  });
  afterEach(async () => {
    await letGo();
    await impatient.close();
    await scratch.drop();
  });

  /** Each kind of call in a statement of its own; two calls go together, and each for itself once that was in vain. */
  const meet = (limits: { isLong: boolean }, clientOf: (kind: string) => string): Promise<unknown> =>
    Promise.allSettled(
      KINDS.flatMap((kind) => {
        const batcher = new Batcher<string, null>(
          (clients) =>
            impatient.db.execute(`SELECT '${kind}' FROM notes FOR UPDATE`).then(() => clients.map(() => null)),
          { most: 2, atOnce: 2, longTogether: 2, laneOf: (client) => client, isLong: () => limits.isLong },
        );
        return [batcher.add(clientOf(kind)), batcher.add(clientOf(kind))];
      }),
    );

  test.each([true, false])('of one client (long: %s) they are no trouble of everybody’s', async (isLong) => {
    await meet({ isLong }, () => 'ada');
    expect(impatient.db.recentTrouble.isWorthALook()).toBe(true);
    expect(impatient.db.recentTrouble.latest()).toBeNull();
  });

  test.each([true, false])('of several (long: %s) they are', async (isLong) => {
    await meet({ isLong }, (kind) => `client of ${kind}`);
    expect(impatient.db.recentTrouble.latest()).toBe('timeout');
  });
});
