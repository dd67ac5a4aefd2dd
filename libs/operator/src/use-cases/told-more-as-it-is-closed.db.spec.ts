/**
 * An operator closes a difference, and its rail, which is asked first, says the same word and more: another reference, another amount, or that what
 * it took on has moved. The operator does not know it: it is written down, and the deed is refused once (ADR 119).
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const ofAmount = (amountCents: number): LookupFact => ({
  ...{ kind: 'unknown', detail: 'another amount' },
  spokeOf: { amountCents, currency: 'USD', moved: true },
});

describe('what a rail tells more under the same word, as a difference is closed', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });

  const news: [string, LookupFact, LookupFact, object][] = [
    ['another reference', settled() as LookupFact, settled('second') as LookupFact, { railCents: 12_000 }],
    ['a larger amount', ofAmount(7_000), ofAmount(9_000), { railCents: 9_000 }],
    ['that it moved', accepted() as LookupFact, settled() as LookupFact, { hasMoved: true }],
  ];
  test.each(news)('%s is written down, and the deed is refused once', async (_, first, then, written) => {
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, first);
    const [line] = await scene.openDrift(payout);
    const close = () =>
      operate.resolve('ada', line?.id ?? '', { note: null, rows: 'paid', neverSeen: false, said: 'out' });
    world.rail.knows.set(payout.railKey, then);
    await expect(close()).rejects.toMatchObject({
      code: 'illegal_transition',
      message: expect.stringContaining('more of this money') as string,
    });
    expect(await scene.openDrift(payout)).toContainEqual(expect.objectContaining(written));
    await close();
    expect((await scene.openDrift(payout)).map(({ id }) => id)).not.toContain(line?.id);
  });

  const told = [settled() as LookupFact, ofAmount(7_000), accepted() as LookupFact];
  test.each(told)('the same once more is no news', async (fact) => {
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, fact);
    const [line] = await scene.openDrift(payout);
    await operate.resolve('ada', line?.id ?? '', { note: null, rows: 'paid', neverSeen: false });
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
