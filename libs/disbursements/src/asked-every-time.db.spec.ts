/**
 * Rows leave again and again, because each of their payouts was refused. Each of those is asked about each time: one of them may
 * settle after all, however often its rail said no.
 */
import type { Payout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
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

  /** What leaves for the rail from now on, of all that waits for that. */
  const sent = async (): Promise<number> => {
    world.rail.answers = () => accepted('last');
    const before = world.rail.calls.length;
    const waiting = await world.db.rows<{ id: string }>(
      `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
      [scene.payee.id],
    );
    for (const { id } of waiting) await world.drive(id);
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
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    const [payout] = await scene.withdraw();
    jest.restoreAllMocks();
    expect(payout).toMatchObject({ status: 'authorized', amountCents: 12_000 });
    world.rail.knows.set(payouts[0]?.railKey ?? '', settled('first'));
    expect(await sent()).toBe(0);
    expect(await world.payout(payout?.id ?? '')).not.toMatchObject({ status: 'submitted' });
  });
});
