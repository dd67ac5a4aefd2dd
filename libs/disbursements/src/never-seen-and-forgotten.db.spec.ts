/**
 * A rail that lists nothing was silent until it had forgotten the code, and an admin found out there that it never saw the payout. The same rows leave under
 * another code: under the old one, which it honours no more, they could never be sent (point 2).
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { Rails, type RegisteredRail } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe.each([
  ['custodial_a', 'FR'],
  ['claim_rail', 'DE'],
])('rows of which an admin said `neverSeen` (%s)', (rail, country) => {
  let world: MoneyWorld;
  let client: Client;
  let registered: RegisteredRail;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
    registered = world.get(Rails).find(rail) as RegisteredRail;
    registered.rail = Object.create(world.rail, { movements: { value: undefined } }) as RegisteredRail['rail'];
  });
  afterAll(() => world.stop());

  test.each([
    ['another code once its rail has forgotten the first', 2, false],
    ['the same code as long as its rail knows that', 0.1, true],
  ])('leave again under %s', async (_, hours, isSame) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused('transient');
    world.rail.knows.set(first.railKey, SILENT);
    await timePasses(world, first.id, hours * 3_600);
    await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
    world.rail.answers = () => settled('at last');
    const { railKey } = await scene.sent();
    expect([railKey === first.railKey, await scene.statuses(row)]).toEqual([isSame, ['paid']]);
  });
});
