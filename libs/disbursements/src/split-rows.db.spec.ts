/** Rows of one payout that went on to two: each of these is sent only after the one they share was asked about. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of one payout that went on to two', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ prepaid: true });
    scene = await OwedScene.of(world, client);
  });

  const deposit = (amountCents: number) =>
    world.get(WalletBook).post({
      ...{ clientId: client.id, type: amountCents < 0 ? 'adjustment' : 'deposit', currency: 'USD', amountCents },
      ...{ reference: randomUUID(), note: null },
    });

  /** Both were on the first, which its rail refused; the wallet covers one of them, and later the other one. */
  const split = async (failure?: 'permanent'): Promise<{ first: Payout; second: Payout; third: Payout }> => {
    await deposit(10_000);
    await scene.push(6_000);
    await scene.push(4_000);
    const first = await scene.refusedWithdrawal(failure);
    world.rail.knows.set(first.railKey, refused(failure));
    await deposit(-4_000);
    const [second] = (await scene.withdraw()) as [Payout];
    expect(second.amountCents).toBe(6_000);
    await deposit(4_000);
    const [third] = (await scene.withdraw()) as [Payout];
    expect(third.amountCents).toBe(4_000);
    return { first, second, third };
  };

  test.each([['permanent' as const], [undefined]])('the earlier of them asks about it (%s)', async (failure) => {
    const { first, second } = await split(failure);
    world.rail.knows.set(first.railKey, settled('first'));
    world.rail.answers = () => settled('second');
    await world.drive(second.id);
    expect(world.rail.calls.some(({ order }) => order.payoutId === second.id)).toBe(false);
  });

  test.each([['permanent' as const], [undefined]])('so does the later one (%s)', async (failure) => {
    const { first, third } = await split(failure);
    world.rail.knows.set(first.railKey, settled('first'));
    world.rail.answers = () => settled('third');
    await world.drive(third.id);
    expect(world.rail.calls.some(({ order }) => order.payoutId === third.id)).toBe(false);
  });

  test('nor do they leave unasked where the next one was never sent', async () => {
    await deposit(10_000);
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(first.railKey, refused('permanent'));
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const [second] = (await scene.withdraw()) as [Payout];
    expect(second.status).toBe('held');
    await world.get(GiveUpPayout).run(second, null);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    world.rail.knows.set(first.railKey, settled('first'));
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });
});
