/**
 * Rows were refused for now by one rail, and for good by another one under the same code. They go back to the first one, which settles its first order after
 * all: it is to be the same one.
 */
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that another rail refused for good', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  const livesIn = (country: string) =>
    world.get(UpsertPayee).run(scene.client, { externalId: scene.payee.externalId, country });

  test.each([
    ['DE', 'IT'],
    ['IT', 'DE'],
  ])('go back to the first one (%s, by way of %s) under the code of then, and are paid once', async (home, away) => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), home);
    await scene.push(6_000);
    const first = await scene.sentAndRefused();
    expect(first).toMatchObject({ status: 'failed', failureKind: 'transient' });
    await livesIn(away);
    const elsewhere = await scene.sentAndRefused('permanent');
    expect(elsewhere).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(elsewhere.provider).not.toBe(first.provider);
    await livesIn(home);
    world.rail.knows.set(first.railKey, refused() as LookupFact);
    // From now on the first rail takes what it has, and what comes: once for each code.
    const moved = new Map([[first.railKey, 6_000]]);
    world.rail.answers = ({ railKey, amountCents }) => {
      moved.set(railKey, amountCents);
      return settled(railKey);
    };
    const again = await scene.sent();
    expect({ rail: again.provider, status: again.status }).toEqual({ rail: first.provider, status: 'paid' });
    expect([...moved.values()].reduce((sum, cents) => sum + cents, 0)).toBe(6_000);
  });
});
