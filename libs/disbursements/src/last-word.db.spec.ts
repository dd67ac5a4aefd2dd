/** A rail may settle what it refused, long after it said no, and forget it: only what it said last, before it forgets, counts then. */
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseByItself } from './use-cases/release-by-itself';

/** The rails of the spec keep codes for an hour. */
const FORGOTTEN = 2 * 3600;
const TOWARDS_THE_END = 3_100;

describe('a no of a rail that has forgotten the code', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let payout: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client(), 'IT');
    await scene.push(6_000);
    payout = await scene.refusedWithdrawal();
    world.rail.knows.set(payout.railKey, refused());
  });

  const passes = async (seconds: number): Promise<void> => {
    await world.age(payout.id, seconds);
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second',
         cleared_at = cleared_at - $2::float8 * interval '1 second' WHERE id = $1`,
      [payout.id, seconds],
    );
  };
  /** It settled meanwhile, for all we know. */
  const forgets = async (): Promise<void> => {
    await passes(FORGOTTEN);
    world.rail.knows.delete(payout.railKey);
  };
  const byItself = async (): Promise<number> => {
    await world.get(ReleaseByItself).ofPayee(scene.payee.id);
    return (await world.db.rows(`SELECT FROM payouts WHERE payee_id = $1 AND status = 'authorized'`, [scene.payee.id]))
      .length;
  };
  const retry = async () => world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');

  test('counts for nothing if it was said long before', async () => {
    await world.lookOnceMore(payout.id);
    await forgets();
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await byItself()).toBe(0);
    await expect(retry()).rejects.toThrow('no longer honours');
    // Somebody found out at the rail.
    await world.get(GiveUpPayout).run(await world.payout(payout.id), 'asked at the provider');
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('is no more if an operator said it, and long before', async () => {
    const fail = async () => world.get(GiveUpPayout).run(await world.payout(payout.id), 'as its rail says');
    await fail();
    await forgets();
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await fail();
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('counts if it was the last that it said before it forgot', async () => {
    await world.lookOnceMore(payout.id);
    await passes(TOWARDS_THE_END);
    await world.lookOnceMore(payout.id);
    await forgets();
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('is asked for then', async () => {
    await passes(700);
    const again = (await world.lookOnceMore(payout.id)) as { againInSeconds: number };
    // Before the hour is over, however seldom it is asked otherwise.
    expect(again.againInSeconds).toBeLessThan(2_500);
    expect(again.againInSeconds).toBeGreaterThan(2_000);
  });
});
