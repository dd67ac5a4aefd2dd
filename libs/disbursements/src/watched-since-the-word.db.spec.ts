/**
 * What came back is out again days later, and an operator calls its rows paid. Its bank sends it back once more, and the notice of that is lost. The watch
 * is all that hears it: it counts from what the operator said, and not from when the payout came back.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { watchReturns } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const HOUR = 3_600;
const DAY = 24 * HOUR;

describe('rows of a returned payout that an operator called paid', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
  });

  /** For all that the watch goes by. */
  const passes = async (seconds: number): Promise<void> => {
    for (const [table, time] of [
      ['payouts', 'updated_at'],
      ['drift', 'resolved_at'],
      ['rail_watches', 'watched_until'],
    ])
      await world.db.execute(`UPDATE ${table} SET ${time} = ${time} - $1::int * interval '1 second'`, [seconds]);
    await watchReturns(world, 'custodial_a');
  };

  test.each([
    ['at once (control)', 0],
    ['eleven days later', 11 * DAY],
  ])('%s, and that come back within ten days of that, are heard of', async (_, seconds) => {
    await watchReturns(world, 'custodial_a');
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(id);
    world.rail.answers = null;
    await scene.tells(await world.payout(id), CAME_BACK);
    const payout = await world.payout(id);
    expect(payout.status).toBe('returned');
    // Others are paid over the same rail meanwhile, and looked at.
    const other = await OwedScene.of(world, scene.client);
    world.rail.answers = () => settled('other');
    const another = await world.pay(scene.client, other.payee, 1_000);
    await world.drive(another.id);
    world.rail.answers = null;
    world.rail.knows.set(another.railKey, settled('other') as LookupFact);
    for (let passed = 0; passed < seconds; passed += DAY / 2) await passes(DAY / 2);
    // PayPal cancels the reversal: an operator finds it at its payee.
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    // It comes back once more.
    world.rail.knows.set(payout.railKey, CAME_BACK);
    for (let passed = 0; passed < 10 * DAY; passed += DAY / 2) await passes(DAY / 2);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
  });
});
