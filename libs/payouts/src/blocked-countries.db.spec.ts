/** Money that waits for its payee, whose country the operator blocked since: where it goes is not theirs to say meanwhile. */
import type { Client } from '#libs/clients';
import { ChangeRoutes } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

describe('a payout that waits for a payee of a blocked country', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    await blocks(false);
  });

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const begin = async ({ id }: Payout): Promise<Payout> => world.get(BeginLeg).run(await world.payout(id), 'wallet-1');
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    return world.payout(payout.id);
  };
  const drains = ({ id }: Payout) => world.rail.calls.filter(({ order, leg }) => order.payoutId === id && leg);
  const blocks = (blocked = true) =>
    world.get(ChangeRoutes).run((rows) => rows.map((row) => (row.country === 'IT' ? { ...row, blocked } : row)));

  test('is begun by nobody there', async () => {
    const payout = await waiting();
    await blocks();
    await expect(begin(payout)).rejects.toMatchObject({ code: 'payee_not_payable' });
    expect(await world.payout(payout.id)).toEqual(payout);
  });

  test('is begun by nobody who left that country since: it was made out to them there', async () => {
    const payout = await waiting();
    await blocks();
    await world.db.execute("UPDATE payees SET country = 'DE' WHERE id = $1", [payout.payeeId]);
    await expect(begin(payout)).rejects.toMatchObject({ code: 'payee_not_payable' });
  });

  test('and that was sent before it was blocked, is brought to its end', async () => {
    const payout = await waiting();
    await begin(payout);
    says({ drain: { kind: 'unknown', detail: 'no answer' } });
    await drive(payout);
    await blocks();
    says({ drain: settled() });
    expect((await drive(payout, 2)).status).toBe('paid');
  });

  test('and that they began, is not sent for the first time until it is blocked no more', async () => {
    const payout = await waiting();
    await begin(payout);
    await blocks();
    says({ drain: settled() });
    await drive(payout, 2);
    expect(drains(payout)).toHaveLength(0);
    await blocks(false);
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toHaveLength(1);
  });
});
