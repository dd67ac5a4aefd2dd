/**
 * What goes on by itself looks for each held payout whether its rail is asked soon. A plan from when no job waited reads all jobs for each of them:
 * held payouts times jobs, which is past the 30 seconds of a statement soon, and then nobody's payouts go on until autovacuum has been there.
 */
import { manyJobs, noJobs, rowsRead } from '#libs/db/testing';
import { PayoutReads } from './db/payout.reads';
import { copiesOf, HeldReads, type MoneyWorld, startMoneyWorld } from '../testing/src';

const HELD = 100;
const JOBS = 20_000;

describe('what is held, looked for by a connection that did so while no job waited', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  /** How many jobs a look goes through once there are many: it was planned while there were none, and autovacuum had been there. */
  const readBy = async (look: () => Promise<unknown>): Promise<number> => {
    await world.db.execute('ANALYZE payouts');
    await noJobs(world.db);
    for (let nth = 0; nth < 12; nth += 1) await look();
    await manyJobs(world.db, JOBS, 'payout.drive', 60);
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, run_at, created_at)
       SELECT 'payout.drive', id, 'rail', now() + interval '1 minute', now() FROM payouts WHERE status = 'submitted'`,
    );
    const before = await rowsRead(world.db);
    await look();
    return (await rowsRead(world.db)) - before;
  };

  test('does not go through all jobs for each', async () => {
    const client = await world.client({ autoRelease: ['no_rail'] });
    const first = await world.pay(client, await world.payee(client, { country: 'AQ' }), 100);
    await copiesOf(world, first, HELD, { created_at: 'created_at' });
    expect(await readBy(() => world.get(HeldReads).maybeCleared(new Map(), 500, 250))).toBeLessThan(JOBS);
  });

  test('nor does the look for payouts that were forgotten', async () => {
    const client = await world.client({});
    const first = await world.pay(client, await world.payee(client, {}), 100);
    const longAgo = { created_at: 'created_at', updated_at: `now() - interval '1 hour'`, status: `'submitted'` };
    await copiesOf(world, first, HELD, longAgo);
    expect(await readBy(() => world.get(PayoutReads).forgotten())).toBeLessThan(2 * JOBS);
  });
});
