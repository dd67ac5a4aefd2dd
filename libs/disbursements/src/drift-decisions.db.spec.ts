/** What an operator decided about money that moved for what failed here is kept to, until the payout is sent again. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#libs/auth';
import { happening } from '#libs/db/testing';
import { type Payout, RemedyPayout, ResolveDrift } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const SILENT = { kind: 'unknown', detail: 'no answer' } as const;

describe("an operator's word about disputed rows", () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  describe('after an operator decided that they are owed', () => {
    let first: string;
    let payout: Payout;
    beforeEach(async () => {
      first = await scene.push(6_000);
      payout = await scene.refusedWithdrawal();
      await scene.isListed(payout);
      await scene.resolve(payout, 'owed');
      world.rail.moved = [];
      world.rail.knows.set(payout.railKey, refused());
    });

    const triedAgain = async (failure?: 'permanent'): Promise<void> => {
      await world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
      await scene.refuse(payout, failure);
    };

    test('the rail is not asked again, and they leave under another code', async () => {
      const asked = world.rail.asked.length;
      const [again] = await scene.withdraw();
      expect(world.rail.asked).toHaveLength(asked);
      // Under the old one the rail would say that it paid them.
      expect(again?.railKey).not.toBe(payout.railKey);
    });

    test('the rail is asked about a later try', async () => {
      await triedAgain();
      world.rail.knows.set(payout.railKey, accepted());
      await scene.push(1_000);
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.statuses(first)).toEqual(['released']);
      expect(await world.status(payout.id)).toBe('submitted');
    });

    test('a rail that cannot be asked keeps those of a later try back', async () => {
      await triedAgain();
      world.rail.knows.set(payout.railKey, SILENT);
      await scene.push(1_000);
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.statuses(first)).toEqual(['owed']);
    });

    test('money that moved for a later try is told of', async () => {
      await triedAgain('permanent');
      await scene.isListed(payout, 'another ref');
      expect(await world.status(payout.id)).toBe('failed');
      expect(await scene.openDrift(payout)).toHaveLength(1);
    });
  });

  test('are not sent under a code whose money an operator decided about', async () => {
    const first = await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    world.rail.knows.set(earlier.railKey, refused());
    const [again] = await scene.withdraw();
    if (!again) throw new Error('Nothing was withdrawn.');
    expect(again.railKey).toBe(earlier.railKey);
    await scene.tells(earlier, settled());
    await scene.resolve(earlier, 'owed'); // the money was called back
    world.rail.answers = () => settled();
    await world.drive(again.id);
    expect(await world.status(again.id)).toBe('held');
    await world.get(RemedyPayout).giveUp(await world.payout(again.id), null);
    const [fresh] = await scene.withdraw();
    expect(fresh?.railKey).not.toBe(earlier.railKey);
    await world.drive(fresh?.id ?? '');
    expect(await scene.statuses(first)).toEqual(['paid']);
  });

  test('a comparison that meets an operator at work raises nothing that was just decided', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.isListed(payout);
    const [drift] = await scene.openDrift(payout);
    const [decided, mayEnd] = [happening(), happening()];
    const deciding = world.db.inTransaction(async () => {
      await world.get(ResolveDrift).run(drift?.id ?? '', { by: 'ada', note: null });
      decided.happens();
      await mayEnd.promise;
    });
    await decided.promise;
    const comparing = world.compare();
    // Once it waits for the operator's decision.
    while (!(await world.db.row(`SELECT FROM pg_locks WHERE NOT granted`))) await pause(5);
    mayEnd.happens();
    await Promise.all([deciding, comparing]);
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
