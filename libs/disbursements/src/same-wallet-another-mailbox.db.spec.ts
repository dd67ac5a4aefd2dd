/**
 * A swap rail brings money to a wallet that it names by what its client calls the payee (`payeeKey`, ADR 109), whatever their mailbox is. Rows were
 * refused there for now, and their payee has another mailbox since: it is the same wallet, so they leave under the same code, which its rail pays
 * once. It settles the first order after all, once the second one is there.
 */
import { UpsertPayee } from '#libs/payees';
import { RemedyPayout } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were refused on their way to a wallet whose payee has another mailbox since', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let before: Payout;
  /** By wallet and code. */
  let moved: Map<string, number>;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), 'IT', { email: 'old@example.com' });
    await scene.push(6_000);
    before = await scene.refusedWithdrawal();
    expect(before).toMatchObject({ provider: 'swap_rail', status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(before.railKey, refused() as LookupFact);
    const { payeeKey } = world.rail.calls.at(-1)!.order;
    moved = new Map([[`${payeeKey} ${before.railKey}`, 6_000]]);
    world.rail.answers = (order) => {
      moved.set(`${order.payeeKey} ${order.railKey}`, order.amountCents);
      return settled(order.railKey);
    };
  });

  const total = () => [...moved.values()].reduce((sum, cents) => sum + cents, 0);
  const moves = () =>
    world.get(UpsertPayee).run(scene.client, { externalId: scene.payee.externalId, email: 'new@example.com' });

  test.each([false, true])('go there once (another mailbox: %s)', async (isMoved) => {
    if (isMoved) await moves();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect({ wallets: new Set([...moved.keys()].map((key) => key.split(' ')[0])).size, cents: total() }).toEqual({
      ...{ wallets: 1, cents: 6_000 },
    });
  });

  test.each([false, true])(
    'go on once they are released, where they were held (another mailbox: %s)',
    async (isMoved) => {
      const isBlocked = (blocked: boolean) =>
        world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
      await isBlocked(true);
      const [{ id }] = (await scene.withdraw()) as [Payout];
      expect(await world.payout(id)).toMatchObject({ status: 'held', railKey: before.railKey });
      if (isMoved) await moves();
      await isBlocked(false);
      await world.get(RemedyPayout).release(await world.payout(id), 'operator');
      if ((await world.status(id)) === 'authorized') await world.drive(id);
      const { status, statusReason } = await world.payout(id);
      expect({ status, statusReason, cents: total() }).toEqual({ status: 'paid', statusReason: null, cents: 6_000 });
    },
  );
});
