/** Money that moved for rows of which another payout paid some: an operator calls it paid, and no cent of it is lost sight of. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of which a part was paid twice', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  const paid = async (providerRef: string): Promise<Payout> => {
    world.rail.answers = () => settled(providerRef);
    const [payout] = await scene.withdraw();
    await world.drive(payout?.id ?? '');
    world.rail.answers = null;
    return world.payout(payout?.id ?? '');
  };
  const covered = async (): Promise<number> => {
    const covers = await world.db.inTransaction(() =>
      world.get(WalletBook).lockAvailable([{ clientId: client.id, currency: 'USD' }]),
    );
    return [...covers.values()][0] ?? 0;
  };
  const deposit = (amountCents: number) =>
    world.get(WalletBook).post({
      ...{ clientId: client.id, type: amountCents < 0 ? 'adjustment' : 'deposit', currency: 'USD', amountCents },
      ...{ reference: randomUUID(), note: null },
    });
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ prepaid: true });
    scene = await OwedScene.of(world, client);
  });

  test('what came back is paid by the payout before, and nothing is owed any more', async () => {
    await deposit(12_000);
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(before.railKey, refused('permanent'));
    const later = await paid('later');
    await scene.tells(before, settled('before'));
    await scene.tells(later, { kind: 'bounced', feeCents: 100 });
    expect(await covered()).toBe(11_900);
    expect(await scene.resolve(before, 'paid')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 5_900 });
    expect(await covered()).toBe(5_900);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('the wallet is charged what moved, and what moved twice stays named until it is recovered', async () => {
    await deposit(20_000);
    await scene.push(6_000);
    const second = await scene.push(4_000);
    const before = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(before.railKey, refused('permanent'));
    await deposit(-14_000);
    const part = await paid('part');
    expect(part.amountCents).toBe(6_000);
    await deposit(14_000);
    await scene.tells(before, settled('before'));
    expect(await scene.resolve(before, 'paid')).toBe(1);
    expect(await scene.statuses(second)).toEqual(['paid']);
    expect(await covered()).toBe(4_000);
    expect(await scene.openDrift(before)).toMatchObject([
      { kind: 'amount_differs', railCents: 10_000, ourCents: 4_000 },
    ]);
    // The provider takes the second payment of it back: that is what the first one paid.
    await scene.tells(part, { kind: 'bounced', feeCents: 0 });
    expect(await covered()).toBe(10_000);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.resolve(before, 'paid')).toBe(1);
    expect(await covered()).toBe(10_000);
    expect(await scene.openDrift(before)).toEqual([]);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 10_000 });
  });
});
