/**
 * As `releases-planned-while-idle`: a plan from when hardly anything was held for a floor reads all that is, of all clients, and twice. It is asked in
 * the transaction that is shared by payouts of many clients.
 */
import { rowsRead } from '#libs/db/testing';
import { FloorReads } from './db/floor.reads';
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';

const KEPT = 60_000;
/** Too few for autovacuum: a tenth would be. */
const MANY = 5_000;

describe('a connection that looked while hardly anything was held for a floor', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('does not go through that of another client, for a group that reaches its floor', async () => {
    const [loud, quiet] = [await world.client({}), await world.client({})];
    const first = await world.pay(loud, await world.payee(loud, {}), 100);
    const { id: payeeId } = await world.payee(quiet, {});
    const look = (): Promise<unknown> =>
      world.get(FloorReads).lockFree([{ payeeId, provider: 'claim_rail', currency: 'USD' }]);
    const earlier = { created_at: `created_at - nth * interval '1 minute'` };
    await copiesOf(world, first, KEPT, { status: `'paid'`, ...earlier });
    await world.db.execute('VACUUM ANALYZE payouts'); // as autovacuum leaves it on any evening
    for (let nth = 0; nth < 12; nth += 1) await look();
    const belowFloor = { status: `'held'`, status_reason: `'below_min_payout'`, submitted_at: 'NULL' };
    await copiesOf(world, first, MANY, { ...belowFloor, ...earlier });
    const before = await rowsRead(world.db, 'payouts');
    await look();
    expect((await rowsRead(world.db, 'payouts')) - before).toBeLessThan(MANY / 10);
  });
});
