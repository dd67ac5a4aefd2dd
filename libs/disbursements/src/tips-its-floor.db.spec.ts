/**
 * Rows that were sent once and refused leave again as a payout below its floor, and reach that floor together with what waited for it. Their
 * rail is asked first, by a job: it is asked for in the transaction that made the payout, and counts as asked for since.
 */
import { KeepClients } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were sent before, and reach their floor with what waited for it', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go on with their group', async () => {
    const client = await world.client({ floors: { claim_rail: 1_000 } });
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [first] = (await scene.withdraw()) as [Payout];
    expect(await world.status(first.id)).toBe('failed');
    world.rail.knows.set(first.railKey, refused());
    world.rail.answers = () => accepted();
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { floors: { claim_rail: 10_000 } }));

    const waiting = await world.pay(client, scene.payee, 6_000);
    expect(waiting).toMatchObject({ status: 'held', statusReason: expect.stringContaining('below_min') as string });
    const [again] = (await scene.withdraw()) as [Payout];
    expect(await world.status(waiting.id)).toBe('authorized');

    await world.work('payout.retry', again.id);
    expect(await world.payout(again.id)).not.toMatchObject({ status: 'held' });
  });
});
