/** As `waited-at-another-rail`: rows that their rail refused are held on their next payout, and their payee moves to another rail meanwhile. */
import { KeepClients } from '#libs/clients';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupAnswer } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that one rail refused, and that are held until their payee has another', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are sent, for that rail never saw them, however long they were held', async () => {
    const scene = await OwedScene.of(world, await world.client(), 'DE');
    const capped = (singleCents: number): Promise<unknown> =>
      world.db.inTransaction(() => world.get(KeepClients).change(scene.client.id, { caps: { singleCents } }));
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [before] = await scene.withdraw();
    if (before?.status !== 'failed') throw new Error('It was not refused.');
    // What that rail refuses at once leaves no trace there, as a batch that PayPal does not take.
    world.rail.lookup = async (): Promise<LookupAnswer> => ({ kind: 'never_seen' });
    await capped(5_000);
    const [after] = await scene.withdraw();
    if (!after) throw new Error('Nothing left.');
    expect([before.provider, after.status, after.railKey]).toEqual(['claim_rail', 'held', before.railKey]);
    await world.adopt(scene.client, scene.payee);
    // Longer than the second rail remembers codes, and not as long as the first one does: PayPal 29 days, Stripe 23 hours. Here each does for an hour.
    await world.age(after.id, 2 * 3_600);
    await capped(50_000);
    world.rail.answers = () => settled();
    for (let tries = 0; tries < 3 && (await world.status(after.id)) === 'held'; tries += 1) {
      await world.get(RemedyPayout).release(await world.payout(after.id), 'operator');
      await world.drive(after.id).catch(() => undefined);
    }
    const { status, statusReason, provider, submittedAt } = await world.payout(after.id);
    expect({ status, statusReason, provider, submittedAt }).toMatchObject({ status: 'paid', provider: 'custodial_a' });
  });
});
