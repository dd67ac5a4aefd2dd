/**
 * Rows whose payout was refused for good are linked to a payout of their caller's own, which their rail refuses for now. They go back to the same place:
 * the rail may pay that order yet, so they have the code of then.
 */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { LinkRecovery } from './use-cases/link-recovery';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were linked to a payout which their rail refused for now', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go back to that place under the code of then, so that the rail pays one of both', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    const row = await scene.push(6_000);
    await scene.sentAndRefused('permanent');
    const own = await world.pay(scene.client, scene.payee, 6_000);
    world.rail.answers = () => accepted('own');
    await world.drive(own.id);
    await world.get(LinkRecovery).run(scene.client, { replacementTransactionId: own.id, disbursementIds: [row] });
    await scene.tells(own, refused() as LookupFact);
    expect(await world.payout(own.id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    const [again] = (await scene.withdraw()) as [Payout];
    const places = [own, again].map(({ provider, accountId }) => [provider, accountId]);
    expect(places[1]).toEqual(places[0]);
    expect(again.railKey).toBe(own.railKey);
  });
});
