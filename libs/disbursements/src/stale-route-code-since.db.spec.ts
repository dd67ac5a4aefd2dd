/** As in held-and-moved-to-another-rail, but it is the routes that changed, a moment before the rows were withdrawn again. */
import { KeepClients } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupAnswer } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that one rail refused, and that are held for another one, to which routes led a moment ago', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([true, false])(
    'are sent, for that rail never saw them, however long they were held (resolved: %s)',
    async (isResolved) => {
      await world.route('NO', 'claim_rail');
      const scene = await OwedScene.of(world, await world.client(), 'NO');
      const capped = (singleCents: number): Promise<unknown> =>
        world.db.inTransaction(() => world.get(KeepClients).change(scene.client.id, { caps: { singleCents } }));
      await scene.push(6_000);
      world.rail.answers = () => refused();
      const [before] = (await scene.withdraw()) as [Payout];
      expect(before).toMatchObject({ status: 'failed', provider: 'claim_rail' });
      world.rail.lookup = async (): Promise<LookupAnswer> => ({ kind: 'never_seen' });
      await world.route('NO', 'swap_rail');
      if (isResolved) await world.work('payees.resolve', scene.client.id);
      await capped(5_000);
      const [after] = (await scene.withdraw()) as [Payout];
      expect(after).toMatchObject({ status: 'held', provider: 'swap_rail', railKey: before.railKey });
      await world.age(after.id, 2 * 3_600);
      await capped(50_000);
      world.rail.answers = () => settled();
      for (let tries = 0; tries < 3 && (await world.status(after.id)) === 'held'; tries += 1) {
        await world.get(RemedyPayout).release(await world.payout(after.id), 'operator');
        await world.drive(after.id).catch(() => undefined);
      }
      const { status, statusReason } = await world.payout(after.id);
      expect({ status, statusReason }).toEqual({ status: 'paid', statusReason: null });
    },
  );
});
