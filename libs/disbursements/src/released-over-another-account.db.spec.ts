/**
 * Rows that one account was refused are held on their next payout. Their payee takes an account at another rail meanwhile; they are released, go there under
 * the code of before, and are refused for now. Withdrawn again, to the very same account, they are to leave under that code.
 */
import { RemedyPayout } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were released to an account of another rail', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go to that account under one code, and are paid once', async () => {
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    const block = (blocked: boolean): Promise<unknown> =>
      world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused() as LookupFact);
    const [held] = (await scene.withdraw()) as [Payout];
    await block(true);
    await world.drive(held.id);
    const account = await world.adopt(scene.client, scene.payee, undefined, 'at_once_account');
    await block(false);
    world.rail.answers = () => refused();
    await world.get(RemedyPayout).release(await world.payout(held.id), 'client');
    if ((await world.status(held.id)) === 'authorized') await world.drive(held.id);
    const first = await world.payout(held.id);
    expect(first).toMatchObject({ status: 'failed', failureKind: 'transient', accountId: account });

    // From now on this rail takes what it has, and what comes: once for each code.
    const moved = new Map([[first.railKey, 6_000]]);
    world.rail.answers = ({ railKey, amountCents }) => {
      moved.set(railKey, amountCents);
      return settled(railKey);
    };
    const [again] = (await scene.withdraw()) as [Payout];
    if ((await world.status(again.id)) === 'authorized') await world.drive(again.id);
    const after = await world.payout(again.id);
    expect({ to: after.accountId, status: after.status }).toEqual({ to: account, status: 'paid' });
    expect([...moved.values()].reduce((sum, cents) => sum + cents, 0)).toBe(6_000);
  });
});
