/** Whether a payee ever had money by address is read off an index, and no payout that went to an account is looked at. */
import { Db } from '#libs/db';
import { rowsRemoved } from '#libs/db/testing';
import { PayeeReads } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';

const MANY = 3_000;

describe('a payee of very many payouts', () => {
  let world: MoneyWorld;
  let payout: Payout;
  beforeAll(async () => {
    world = await startMoneyWorld();
    const client = await world.client();
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    payout = await world.pay(client, payee);
    await copiesOf(world, payout, MANY, {});
    await world.db.execute('ANALYZE payouts');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([
    ['none of which went to an address', 'custodial', false],
    ['one of which went to an address', 'swap', true],
  ])('%s', async (_, custody, had) => {
    await world.db.execute('UPDATE payouts SET custody = $2 WHERE id = $1', [payout.id, custody]);
    const db = world.get(Db);
    const asked = jest.spyOn(db, 'row');
    expect(await world.get(PayeeReads).hasMoneyByAddress(payout.payeeId)).toBe(had);
    const [sql, values] = asked.mock.calls[0] as [string, unknown[]];
    expect(await rowsRemoved(db, sql, values)).toBe(0);
  });
});
