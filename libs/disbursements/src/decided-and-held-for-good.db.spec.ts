/**
 * An operator gives a payout up; its rail takes it on after all, which is a difference, and refuses it. An operator calls its rows owed: "its rows wait until
 * an operator resolves it" (point 1), and no longer. Withdrawn again, the same rows have the code of before (ADR 109: a decision spends it, "unless the rail's
 * last word was that nothing moved"), so that decision must not hold what leaves under it: nothing is open any more, and nobody could end that.
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that an operator called owed, once their rail had refused them', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (_, country) => {
    test.each(['nothing was in dispute', 'it was taken on', 'it had moved'])('are paid: %s', async (before) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const first = await scene.sentAndRefused('transient');
      await world.get(GiveUpPayout).run(await world.payout(first.id), 'nothing there');
      if (before !== 'nothing was in dispute') {
        await scene.tells(first, (before === 'it had moved' ? settled('late') : accepted('late')) as LookupFact);
        await scene.tells(first, refused() as LookupFact);
        await scene.resolve(first, 'owed');
      }
      world.rail.answers = () => settled('in the end');
      const status = async (): Promise<string> => {
        const [next] = await scene.withdraw();
        if (next && (await world.status(next.id)) === 'authorized') await world.drive(next.id);
        if (!next) return 'nothing left';
        if ((await world.status(next.id)) === 'held')
          await world
            .get(RemedyPayout)
            .release(await world.payout(next.id), 'operator')
            .catch(() => undefined);
        if ((await world.status(next.id)) === 'authorized') await world.drive(next.id);
        const { status, statusReason } = await world.payout(next.id);
        if (status === 'held') await world.get(GiveUpPayout).run(await world.payout(next.id), 'once more, then');
        return statusReason ?? status;
      };
      expect(await scene.openDrift(first)).toEqual([]);
      const statuses = [await status()];
      if (statuses[0] !== 'paid') statuses.push(await status());
      expect([statuses, await scene.statuses(row)]).toEqual([['paid'], ['paid']]);
    });
  });
});
