/** An operator fails a payout in a bad minute of its rail, and its rows leave under another code unasked. */
import { GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('an operator fails a payout, and a withdrawal follows', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test('while the rail, which settled it after all, cannot be asked: the rows stay owed', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    // Refused for now a moment ago; the rail honours and remembers the code for an hour, and settles it after all.
    const { id, railKey } = await scene.refusedWithdrawal();
    await world.get(GiveUpPayout).run(await world.payout(id), 'by hand');
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'a bad minute' });
    const outcome = await scene.outcome();
    // The minute is over.
    world.rail.knows.set(railKey, settled('first'));
    const open = await world.db.rows<{ id: string; railKey: string }>(
      `SELECT id, rail_key FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
      [scene.payee.id],
    );
    world.rail.answers = () => accepted('second');
    for (const payout of open) await world.drive(payout.id);
    const moved = 6_000 + world.rail.calls.slice(1).reduce((sum, { order }) => sum + order.amountCents, 0);
    expect({ owed: 6_000, outcome, moved }).toEqual({ owed: 6_000, outcome: 'nothing_to_withdraw', moved: 6_000 });
  });
});
