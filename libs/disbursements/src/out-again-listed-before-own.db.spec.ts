/**
 * What came back is out once more under another reference, and back, and its rail lists that before what was paid first. It was listed after the payout was
 * last submitted, so it is none of a call before (`IS_OF_A_CALL_BEFORE`): it counts as out again, and beside a rail that has forgotten the code its rows
 * stay (2, 18; ADR 120).
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { boundTo, type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what came back and was out again, listed before what was paid first', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('stays beside a rail that has forgotten it', async () => {
    world.rail.reset();
    await boundTo(world, 'custodial_a', 'one');
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    world.rail.answers = () => settled('two');
    const paid = await scene.sent();
    expect(paid).toMatchObject({ status: 'paid', providerRef: 'two' });
    await scene.tells(paid, { kind: 'bounced', feeCents: 0 });
    const line = (providerRef: string, direction: 'out' | 'back') => ({
      ...{ rail: 'custodial_a', railKey: paid.railKey, amountCents: 6_000, currency: 'USD' },
      ...{ movedAt: systemClock.now(), providerRef, direction },
    });
    world.rail.moved = [line('three', 'out'), line('three', 'back')];
    await compare(world);
    world.rail.moved = [...world.rail.moved, line('two', 'out'), line('two', 'back')];
    await compare(world);
    expect(await world.status(paid.id)).toBe('returned');
    world.rail.moved = [];
    world.rail.knows.clear();
    await timePasses(world, paid.id, 11 * 86_400);
    await scene.push(1_000);
    world.rail.answers = () => settled('once more');
    expect(await scene.outcome()).toEqual([1_000]);
  });
});
