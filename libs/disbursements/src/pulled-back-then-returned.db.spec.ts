/**
 * A first call came to nothing and was pulled back, its rail lists that; the same rows left again, were paid, and came back. It was out once for each call, and
 * never once more since it came back: nothing of it is "out again" (ADR 120), so beside a rail that has forgotten it by then it is owed, as
 * what came back always was (point 2: what a rail answers counts), and beside one that is silent for good it leaves after ten days (ADR 125).
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { boundTo, type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what was pulled back, paid, and came back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['is silent for good', true],
    ['has forgotten it', true],
    ['is another account', true],
    ['is silent for good', false],
    ['has forgotten it', false],
    ['is another account', false],
  ])('leaves though its rail %s (a call before was pulled back: %s)', async (then, pulledBack) => {
    world.rail.reset();
    await boundTo(world, 'custodial_a', `one ${then} ${pulledBack}`);
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const earlier = pulledBack ? await scene.sentAndRefused() : null;
    const line = (railKey: string, providerRef: string, direction: 'out' | 'back') => ({
      ...{ rail: 'custodial_a', railKey, amountCents: 6_000, currency: 'USD', movedAt: systemClock.now() },
      ...{ providerRef, direction },
    });
    const before = earlier ? [line(earlier.railKey, 'one', 'out'), line(earlier.railKey, 'one', 'back')] : [];
    world.rail.moved = before;
    await compare(world);
    world.rail.answers = () => settled('two');
    const paid = await scene.sent();
    if (earlier) expect(paid.railKey).toBe(earlier.railKey);
    expect(paid.status).toBe('paid');
    await scene.tells(paid, { kind: 'bounced', feeCents: 0 });
    world.rail.moved = [...before, line(paid.railKey, 'two', 'out'), line(paid.railKey, 'two', 'back')];
    await compare(world);
    expect(await world.status(paid.id)).toBe('returned');
    expect(await scene.openDrift(paid)).toEqual([]);
    world.rail.moved = [];
    world.rail.knows.clear();
    if (then === 'is silent for good') world.rail.knows.set(paid.railKey, { kind: 'unknown', detail: 'no answer' });
    if (then === 'is another account') {
      await boundTo(world, 'custodial_a', `two ${pulledBack}`);
      await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    }
    await timePasses(world, paid.id, 11 * 86_400);
    await scene.push(1_000);
    world.rail.answers = () => settled('once more');
    expect(await scene.outcome()).toEqual([7_000]);
  });
});
