/** A reset of a client with few rows waits for none of another client, whatever rails keep of both (ADR 84). */
import type { Db } from '#libs/db';
import { happening, openDb, type ScratchDb, scratchDb } from '#libs/db/testing';
import type { Rail } from '#libs/rail-kit';
import { type RegisteredRail, Rails } from '#libs/rail-registry';
import { seedClient } from '../testing/rows-of-a-client';
import { ResetStore } from './db/reset.store';

/** As the mock rail says. */
const RECORDS = { payment: 'payment:', leg: 'leg:', opening: 'opening:', account: 'account:', check: 'check:' };
const rail = { recordsKept: () => RECORDS } as unknown as Rail;
const rails = new Rails([{ definition: { name: 'mock' }, rail } as unknown as RegisteredRail], 'here');

describe('while another client is reset', () => {
  let here: ScratchDb;
  let there: Awaited<ReturnType<typeof openDb>>;
  beforeAll(async () => {
    here = await scratchDb();
    there = await openDb(here.url);
  });
  afterAll(async () => {
    await there.close();
    await here.drop();
  });

  test('one is reset at once, and no comparison that began before either of them goes on', async () => {
    await here.db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('mock', now())`);
    const [one, two] = [await seedClient(here.db), await seedClient(here.db)];
    const [held, mayEnd] = [happening(), happening()];
    const reset = (db: Db, { clientId }: typeof one, meanwhile?: () => Promise<void>) =>
      db.inBriefTransaction(async () => {
        const store = new ResetStore(db, rails);
        await store.hold(clientId);
        await meanwhile?.();
        return (await store.clear(clientId)).get('payouts');
      });
    const longOne = reset(here.db, one, () => (held.happens(), mayEnd.promise));
    await held.promise;
    const short = reset(there.db, two).finally(() => mayEnd.happens());
    expect(await Promise.all([short, longOne])).toEqual([1, 1]);
    expect(await here.db.row('SELECT resets FROM rail_scans')).toEqual({ resets: 2 });
  });
});
