/**
 * A rail says that the money moved, an operator calls the rows owed, and the rail refuses the payout after that: "once the rail says otherwise the operator's
 * word counts no more" (ADR 120), and a no of long before is none: "a rail may settle what it refused hours later, and forget that as well" (ADR 125).
 * So the rows stay once it has forgotten the code (point 2), as those do that were refused and never decided about.
 */
import type { Client } from '#libs/clients';
import { boundTo, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a decision that its rail overtook with a refusal', () => {
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
  ])('%s', (rail, country) => {
    test.each(['nothing was decided', 'it had moved, and was called owed'])(
      'frees no rows once it is forgotten: %s',
      async (before) => {
        world.rail.reset();
        await boundTo(world, rail, 'one');
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        if (before !== 'nothing was decided') {
          await scene.tells(first, settled('first') as LookupFact);
          await scene.resolve(first, 'owed');
        }
        await passes(first.id, 0.2);
        await scene.tells(first, refused('permanent') as LookupFact);
        // It pays after all, and nobody hears of that; then it forgets the code.
        world.rail.knows.clear();
        await passes(first.id, 1);
        world.rail.answers = () => settled('once more');
        await scene.push(1_000);
        const left = await scene.outcome();
        expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
      },
    );
  });
});
