/** If nothing can be withdrawn when a payee says yes, nothing is: what is credited right after would go to an account that they never saw. */
import type { Client } from '#libs/clients';
import { OwedScene } from '#libs/disbursements/testing';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { PageWithdrawals } from './page-withdrawals';
import { startWalletWorld, visitorOf, wordShownTo } from './wallets-open.fake';
import { WithdrawFromPortal } from './withdraw-from-portal';

describe('a second tap on a page that was shown before the account was replaced', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startWalletWorld();
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  test('moves nothing that is credited while it is on its way', async () => {
    const scene = await OwedScene.of(world, client, 'FR', { email: 'ada@example.com' });
    await scene.push(6_000);
    let who = await visitorOf(world, client, scene.payee);
    const shown = await wordShownTo(world, who);
    await world.get(WithdrawFromPortal).run(who, shown);
    const [{ id }] = (await world.db.rows<Payout>('SELECT id FROM payouts')) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(id);
    await world.adopt(client, scene.payee);
    who = await visitorOf(world, client, scene.payee);
    const page = world.get(PageWithdrawals);
    const goesTo = page.goesTo.bind(page);
    // It comes after the look at what there is.
    const crediting = async (...asked: Parameters<typeof goesTo>): Promise<string> => {
      await scene.push(5_000);
      return goesTo(...asked);
    };
    Object.assign(page, { goesTo: crediting });
    const outcome = await world
      .get(WithdrawFromPortal)
      .run(who, shown)
      .finally(() => Object.assign(page, { goesTo }));
    expect(outcome).toMatchObject({ kind: 'refused', code: 'nothing_to_withdraw' });
    expect(await world.db.rows('SELECT amount_cents FROM payouts')).toEqual([{ amountCents: 6_000 }]);
  });
});
