/** A rail's no of seconds ago counts although the rail is asked again and gives no answer. */
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of two payouts that were refused', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('stay owed while the rail has no answer about the first', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const first = await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    await scene.push(1_000);
    const after = await scene.refusedWithdrawal();
    world.rail.knows.set(after.railKey, refused());
    // The rail settles the first one, and has a bad minute.
    world.rail.knows.set(before.railKey, { kind: 'unknown', detail: 'no answer' });
    const outcome = await scene.outcome();
    world.rail.knows.set(before.railKey, settled('first'));
    const open = await world.db.rows<{ id: string }>(
      `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
      [scene.payee.id],
    );
    world.rail.answers = () => accepted('second');
    const sent = world.rail.calls.length;
    for (const { id } of open) await world.drive(id);
    const moved = 6_000 + world.rail.calls.slice(sent).reduce((sum, { order }) => sum + order.amountCents, 0);
    expect({ outcome, moved, statuses: await scene.statuses(first) }).toEqual({
      outcome: [1_000],
      moved: 7_000,
      statuses: ['owed'],
    });
  });
});
