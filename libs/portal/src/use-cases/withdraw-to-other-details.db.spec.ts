/**
 * What a payee says yes to names the details by which they recognise their account (ADR 65). If these alone change while rails are asked about what
 * the rows were on before, they are asked again.
 */
import type { Client } from '#libs/clients';
import { OwedScene } from '#libs/disbursements/testing';
import { type Method, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE } from '#libs/payouts/testing';
import type { AccountDetails, AccountFact } from '#libs/rail-kit';
import { startWalletWorld, visitorOf, wordShownTo } from './wallets-open.fake';
import { WithdrawFromPortal } from './withdraw-from-portal';

describe('a withdrawal that was confirmed for one bank', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startWalletWorld();
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  const details = (last4: string): AccountDetails => ({ brand: 'BANK', last4, currency: 'USD', name: null });

  test.each(['before the yes', 'while rails are asked'])(
    'and whose account pays to another one %s asks again',
    async (when) => {
      const scene = await OwedScene.of(world, client, 'FR', { email: `ada-${when.length}@example.com` });
      await scene.push(6_000);
      const [method] = (await world.db.rows<Method>('SELECT * FROM methods WHERE payee_id = $1', [scene.payee.id])) as [
        Method,
      ];
      const becomes = async (last4: string) => {
        world.rail.accounts.set(method.providerAccountId, { ...PAYABLE, details: details(last4) } as AccountFact);
        await world.get(ReadAccount).run(client, method);
      };
      await becomes('1111');
      const { railKey } = await scene.refusedWithdrawal('permanent');
      const who = await visitorOf(world, client, scene.payee);
      const shown = await wordShownTo(world, who);
      if (when === 'before the yes') await becomes('9999');
      const lookUp = world.rail.lookup.bind(world.rail);
      const changing = async (...asked: Parameters<typeof lookUp>) => {
        if (when === 'while rails are asked' && asked[0].railKey === railKey) await becomes('9999');
        return lookUp(...asked);
      };
      Object.assign(world.rail, { lookup: changing });
      const outcome = await world
        .get(WithdrawFromPortal)
        .run(who, shown)
        .finally(() => Object.assign(world.rail, { lookup: lookUp }));
      expect(outcome).toEqual({ kind: 'changed' });
    },
  );
});
