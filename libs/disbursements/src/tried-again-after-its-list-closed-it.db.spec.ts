/**
 * A rail's last word is that it refused it; then its list has it out, and back: the list closes the difference, and no operator decides. It may move once more,
 * and by then its rail has forgotten the code. A withdrawal of its rows stays for that (closed-by-its-list-and-moved-since), and so must whoever tries the
 * payout again: its rail would take the code for a new one (point 2: "`retry` asks", "what it answers counts").
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a retry of what its rail refused at last, and its list had out and back since', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** Its rail keeps codes for an hour. */
  const passes = (id: string, part: number) => timePasses(world, id, part * 3_600);

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (_, country) => {
    test.each([
      ['rows', 'nothing was listed'],
      ['rows', 'it was listed'],
      ['a payout of a caller’s', 'nothing was listed'],
      ['a payout of a caller’s', 'it was listed'],
    ])('of %s: %s', async (what, listed) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      let first: Payout;
      if (what === 'rows') {
        await scene.push(6_000);
        first = await scene.sentAndRefused('transient');
      } else {
        world.rail.answers = () => refused('transient');
        const { id } = await world.pay(client, scene.payee, 6_000);
        await world.drive(id);
        first = await world.payout(id);
      }
      expect(first.status).toBe('failed');
      await passes(first.id, 0.9);
      await scene.tells(first, refused('transient') as LookupFact);
      if (listed === 'it was listed') {
        world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
        world.rail.moved = [movementOf(first, 'out', 'late')];
        await compare(world);
        await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '10 minutes'`);
        await world.db.execute(`UPDATE drift SET said_at = said_at - interval '10 minutes'`);
        await compare(world);
        expect(await scene.openDrift(first)).toHaveLength(1);
        world.rail.moved = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
        await compare(world);
        expect(await scene.openDrift(first)).toHaveLength(0);
        world.rail.moved = [];
      }
      world.rail.knows.clear();
      await passes(first.id, 0.2);
      // It moved once more, and nobody hears of that.
      world.rail.answers = () => settled('once more');
      await world
        .get(RemedyPayout)
        .retry(await world.payout(first.id), 'operator')
        .catch(() => undefined);
      if ((await world.status(first.id)) === 'authorized') await world.drive(first.id);
      const isSentAgain = (await world.status(first.id)) !== 'failed';
      expect(isSentAgain).toBe(listed === 'nothing was listed');
    });
  });
});
