/**
 * Rows leave again and again, because each of their payouts was refused. Each of those is asked about each time: one of them may
 * settle after all, however often its rail said no.
 */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled, ticksAhead } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseByItself } from './use-cases/release-by-itself';

describe('rows whose payouts were refused', () => {
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

  const refusedOnce = async (failure?: 'permanent'): Promise<Payout> => {
    const payout = await scene.refusedWithdrawal(failure);
    world.rail.knows.set(payout.railKey, refused(failure));
    return payout;
  };

  /** Each look at the clock finds it so much later. */
  const timeFlies = (ms: number): void => {
    let passed = 0;
    ticksAhead(world, () => (passed += ms));
  };

  /** What leaves for the rail from now on, of all that waits for that; what a slow machine did not begin in time, too. */
  const sent = async (): Promise<number> => {
    world.rail.answers = () => accepted('last');
    const before = world.rail.calls.length;
    const waiting = await world.db.rows<{ id: string }>(
      `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
      [scene.payee.id],
    );
    for (const { id } of waiting)
      do await world.drive(id);
      while ((await world.payout(id)).toSend && (await world.status(id)) === 'submitted');
    return world.rail.calls.slice(before).reduce((sum, { order }) => sum + order.amountCents, 0);
  };

  test.each(['permanent', undefined] as const)(
    'stay if the first of two settled meanwhile (%s), and what was pushed since leaves',
    async (failure) => {
      await scene.push(6_000);
      const first = await refusedOnce(failure);
      await scene.push(1_000);
      await refusedOnce(failure);
      world.rail.knows.set(first.railKey, settled('first'));
      await scene.push(500);
      await scene.withdraw();
      expect(await sent()).toBe(1_500);
    },
  );

  test('stay by themselves too', async () => {
    scene = await OwedScene.of(world, scene.client, 'IT'); // to a rail that takes what is credited at once
    await scene.push(6_000);
    const release = world.get(ReleaseByItself);
    const keys: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await release.ofPayee(scene.payee.id);
      const [payout] = await world.db.rows<{ id: string }>(
        `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
        [scene.payee.id],
      );
      const made = await world.payout(payout?.id ?? '');
      await scene.refuse(made, 'permanent');
      world.rail.knows.set(made.railKey, refused('permanent'));
      keys.push(made.railKey);
    }
    world.rail.knows.set(keys[0] ?? '', settled('first'));
    await release.ofPayee(scene.payee.id);
    expect(await sent()).toBe(0);
  });

  test('are not sent if the first settles while they wait on their third payout', async () => {
    await scene.push(6_000);
    const first = await refusedOnce('permanent');
    await refusedOnce('permanent');
    const [third] = await scene.withdraw();
    expect(third).toMatchObject({ status: 'authorized', amountCents: 6_000 });
    world.rail.knows.set(first.railKey, settled('first'));
    expect(await sent()).toBe(0);
  });

  test('leave however many they are, and are asked about before the send if there was no time before', async () => {
    const payouts: Payout[] = [];
    for (let times = 0; times < 12; times += 1) {
      await scene.push(1_000);
      payouts.push(await refusedOnce());
    }
    // Whoever withdraws has time for some of the questions only.
    timeFlies(1_000);
    const [payout] = await scene.withdraw();
    jest.restoreAllMocks();
    expect(payout).toMatchObject({ status: 'authorized', amountCents: 12_000 });
    world.rail.knows.set(payouts[0]?.railKey ?? '', settled('first'));
    expect(await sent()).toBe(0);
    expect(await world.payout(payout?.id ?? '')).not.toMatchObject({ status: 'submitted' });
  });

  test('are not sent by the request that takes them either, on a rail that settles at once', async () => {
    scene = await OwedScene.of(world, scene.client, 'ES');
    const payouts: Payout[] = [];
    for (let times = 0; times < 12; times += 1) {
      await scene.push(1_000);
      world.rail.answers = () => refused();
      const [payout] = (await scene.withdraw()) as [Payout];
      world.rail.knows.set(payout.railKey, refused());
      payouts.push(payout);
    }
    world.rail.knows.set(payouts[0]?.railKey ?? '', settled('first'));
    world.rail.answers = () => accepted('last');
    const calls = world.rail.calls.length;
    timeFlies(1_000);
    const [payout] = await scene.withdraw();
    jest.restoreAllMocks();
    expect(payout).toMatchObject({ status: 'authorized', amountCents: 12_000 });
    expect(world.rail.calls).toHaveLength(calls);
    expect(await sent()).toBe(0);
  });

  test('nor are those that an operator called owed: their rail is asked before the send', async () => {
    scene = await OwedScene.of(world, scene.client, 'ES');
    await scene.push(6_000);
    world.rail.answers = () => refused('permanent');
    const [first] = (await scene.withdraw()) as [Payout];
    await scene.tells(first, settled());
    await scene.resolve(first, 'owed');
    world.rail.answers = () => accepted('last');
    timeFlies(10_000);
    expect(await scene.withdraw()).toMatchObject([{ status: 'authorized' }]);
    jest.restoreAllMocks();
    world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
    expect(await sent()).toBe(0);
    world.rail.knows.set(first.railKey, settled());
    expect(await sent()).toBe(6_000);
  });
});
