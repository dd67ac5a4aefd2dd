/** What an operator decided about money that moved for what failed here is kept to, until the payout is sent again. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#libs/clients';
import { happening } from '#libs/db/testing';
import type { Payout } from '#libs/payout-rules';
import { AskRail, GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { ResolveDrift } from '#libs/reconciliation';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { SettleDisputed } from './use-cases/settle-disputed';

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

    test('they leave under another code, but not while the rail cannot be asked', async () => {
      world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'no answer' });
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
      world.rail.knows.set(payout.railKey, settled());
      const [again] = await scene.withdraw();
      // Under the old one the rail would say that it paid them.
      expect(again?.railKey).not.toBe(payout.railKey);
    });

    test('the payout is given up, and its rail may repeat itself as often as it likes', async () => {
      expect(await world.payout(payout.id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
      await scene.tells(payout, settled());
      await compare(world);
      expect(await scene.statuses(first)).toEqual(['owed']);
      expect(await scene.openDrift(payout)).toEqual([]);
      expect(await scene.outcome()).toEqual([6_000]);
    });

    test('more money than was decided about is told of', async () => {
      await scene.isListed({ ...payout, amountCents: 12_000 });
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 12_000 }]);
    });
  });

  test.each(['authorized', 'held'])('gives up a later payout that is %s under the old code', async (status) => {
    const first = await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    world.rail.knows.set(earlier.railKey, refused());
    const [again] = await scene.withdraw();
    if (!again) throw new Error('Nothing was withdrawn.');
    expect(again.railKey).toBe(earlier.railKey);
    await scene.tells(earlier, settled());
    world.rail.answers = () => settled();
    if (status === 'held') await world.drive(again.id);
    expect(await world.status(again.id)).toBe(status);
    await scene.resolve(earlier, 'owed'); // the money was called back
    expect(await world.payout(again.id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    const [fresh] = await scene.withdraw();
    expect(fresh?.railKey).not.toBe(earlier.railKey);
    await world.drive(fresh?.id ?? '');
    expect(await scene.statuses(first)).toEqual(['paid']);
  });

  test('leaves no later payout behind that keeps the next code of its rows', async () => {
    await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(earlier.railKey, refused('permanent'));
    const [unsent] = await scene.withdraw();
    if (!unsent) throw new Error('Nothing was withdrawn.');
    await scene.tells(earlier, settled());
    await world.drive(unsent.id);
    expect(await world.status(unsent.id)).toBe('held');
    await world.get(GiveUpPayout).run(unsent, null);
    await scene.resolve(earlier, 'paid');
    // The bank sends it back, and it may leave once more.
    await scene.tells(earlier, { kind: 'bounced', feeCents: 0 });
    await scene.resolve(earlier, 'owed');
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('waits for news of the payout that the rows are on by now', async () => {
    const first = await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(earlier.railKey, refused());
    await scene.push(1_000);
    const later = await scene.refusedWithdrawal();
    await scene.tells(earlier, settled());
    const [drift] = await scene.openDrift(earlier);
    const [held, mayEnd] = [happening(), happening()];
    // As news of the later payout that are being written, and make it go on.
    const writing = world.db.inTransaction(async () => {
      await world.db.row('SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [later.id]);
      held.happens();
      await mayEnd.promise;
      await world.get(AskRail).apply(await world.payout(later.id), accepted());
    });
    await held.promise;
    const resolving = world.db
      .inTransaction(async () => {
        const { after, payout } = await world.get(ResolveDrift).run(drift?.id ?? '', { by: 'ada', note: null });
        return payout && world.get(SettleDisputed).run(payout, after, 'paid');
      })
      .catch((error: { code: string }) => error.code);
    while (!(await world.db.row(IS_WAITED_FOR))) await pause(5);
    mayEnd.happens();
    await writing;
    expect(await resolving).toBe('illegal_transition');
    expect(await scene.statuses(first)).toEqual(['released']);
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
    const comparing = compare(world);
    // Once it waits for the operator's decision.
    while (!(await world.db.row(IS_WAITED_FOR))) await pause(5);
    mayEnd.happens();
    await Promise.all([deciding, comparing]);
    expect(await scene.openDrift(payout)).toEqual([]);
  });

  test('is not asked for while the payout is under way: nothing is owed yet', async () => {
    await scene.push(6_000);
    const [payout] = await scene.withdraw();
    if (!payout) throw new Error('Nothing was withdrawn.');
    world.rail.answers = () => accepted();
    await world.drive(payout.id);
    await scene.isListed({ ...payout, amountCents: 5_900 });
    await expect(scene.resolve(payout, 'owed')).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await world.status(payout.id)).toBe('paid');
  });
});

const IS_WAITED_FOR = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
