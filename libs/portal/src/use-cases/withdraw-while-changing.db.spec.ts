/** A withdrawal is confirmed at the moment in which its payee gets another address, which closes their wallet, or another account. */
import type { Client } from '#libs/clients';
import { OwedScene } from '#libs/disbursements/testing';
import { type Payee, UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld } from '#libs/payouts/testing';
import type { Visitor } from './visit-portal';
import { startWalletWorld, visitorOf, wordShownTo } from './wallets-open.fake';
import { WithdrawFromPortal } from './withdraw-from-portal';

describe('a withdrawal from a wallet', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startWalletWorld();
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  test('asked for by who the payee was before, and made after they changed, moves nothing', async () => {
    const scene = await OwedScene.of(world, client, 'FR', { email: 'old@example.com' });
    const { payee } = scene;
    await scene.push(6_000);
    const who = await visitorOf(world, client, payee);
    const shown = await wordShownTo(world, who);
    const { externalId, name, country } = payee;
    await world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' }); // the process stands still here
    await world.get(WithdrawFromPortal).run(who, shown);
    expect(await payoutsOf(payee)).toEqual([]);
  });

  describe('to an account', () => {
    let scene: OwedScene;
    let who: Visitor;
    let shown: string;
    beforeEach(async () => {
      scene = await OwedScene.of(world, client, 'FR', { email: 'ada@example.com' });
      await scene.push(6_000);
      who = await visitorOf(world, client, scene.payee);
      shown = await wordShownTo(world, who);
    });
    const confirmed = () => world.get(WithdrawFromPortal).run(who, shown);

    test('that is the same goes there', async () => {
      expect(await confirmed()).toMatchObject({ kind: 'withdrawn', went: 'all' });
    });

    test('in whose place another one is by the time of the yes moves nothing, and goes there once that was shown', async () => {
      await world.adopt(client, scene.payee);
      expect(await confirmed()).toEqual({ kind: 'changed' });
      expect(await payoutsOf(scene.payee)).toEqual([]);
      who = await visitorOf(world, client, scene.payee);
      shown = await wordShownTo(world, who);
      expect(await confirmed()).toMatchObject({ kind: 'withdrawn', went: 'all' });
    });

    test('in whose place another one is once the rail was asked about what the rows were on before moves nothing', async () => {
      const { railKey, id } = await scene.refusedWithdrawal('permanent');
      shown = await wordShownTo(world, who);
      const lookUp = world.rail.lookup.bind(world.rail);
      const adopting = async (...asked: Parameters<typeof lookUp>) => {
        if (asked[0].railKey === railKey) await world.adopt(client, scene.payee);
        return lookUp(...asked);
      };
      Object.assign(world.rail, { lookup: adopting });
      expect(await confirmed().finally(() => Object.assign(world.rail, { lookup: lookUp }))).toEqual({
        kind: 'changed',
      });
      expect((await payoutsOf(scene.payee)).map((payout) => payout.id)).toEqual([id]);
    });
  });

  const payoutsOf = ({ id }: Payee) => world.db.rows<Payout>('SELECT id FROM payouts WHERE payee_id = $1', [id]);
});
