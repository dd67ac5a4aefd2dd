/** ADR 79: for all payees of a client together, pages ask its rail so often a minute. Withdrawals ask about earlier payouts of the rows. */
import type { Client } from '#libs/clients';
import { OwedScene } from '#libs/disbursements/testing';
import { type MoneyWorld } from '#libs/payouts/testing';
import { startWalletWorld, visitorOf, wordShownTo } from './wallets-open.fake';
import { WithdrawFromPortal } from './withdraw-from-portal';

const A_MINUTE = 5;
/** The minute may change once meanwhile. */
const AT_MOST = 2 * A_MINUTE;
const TIMES = 10;

describe('the rail of a client whose payees withdraw what its rail has to say something about first', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startWalletWorld();
    client = await world.client({ rateLimitPerMinute: A_MINUTE });
  });
  afterAll(() => world.stop());

  test('is asked no more often than the client may ask us', async () => {
    let asked = 0;
    for (let nth = 0; nth < 4; nth += 1) {
      const scene = await OwedScene.of(world, client, 'FR', { email: `payee${nth}@example.com` });
      await scene.push(6_000);
      const { railKey } = await scene.refusedWithdrawal('permanent');
      world.rail.knows.set(railKey, { kind: 'unknown', detail: 'its provider cannot tell' });
      const visitor = await visitorOf(world, client, scene.payee);
      const before = world.rail.asked.length;
      for (let time = 0; time < TIMES; time += 1) {
        const shown = await wordShownTo(world, visitor);
        expect(await world.get(WithdrawFromPortal).run(visitor, shown)).toMatchObject({ kind: 'refused' });
      }
      asked += world.rail.asked.length - before;
    }
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(AT_MOST);
  });
});
