/** A rail moved money for what failed here: its rows wait wherever they are by now, and an operator's word is kept to. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';
import { LinkRecovery } from './use-cases/link-recovery';

describe('disputed rows', () => {
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

  describe('of a payout whose rows went on to another', () => {
    let first: string;
    let second: string;
    let earlier: Payout;
    beforeEach(async () => {
      first = await scene.push(6_000);
      earlier = await scene.refusedWithdrawal();
      world.rail.knows.set(earlier.railKey, refused());
      second = await scene.push(1_000);
    });

    test('wait, and leave what was never on it free', async () => {
      const later = await scene.refusedWithdrawal();
      world.rail.knows.set(later.railKey, refused());
      await scene.tells(earlier, settled());
      expect(await scene.openDrift(earlier)).toHaveLength(1);
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.statuses(first, second)).toEqual(['owed', 'released']);
    });

    test('are settled wherever they are owed, and their later payout is not tried again', async () => {
      const later = await scene.refusedWithdrawal();
      world.rail.knows.set(later.railKey, refused());
      await scene.tells(earlier, settled());
      expect(await scene.resolve(earlier, 'paid')).toBe(1);
      expect(await scene.statuses(first, second)).toEqual(['paid', 'owed']);
      await expect(world.get(RemedyPayout).retry(await world.payout(later.id), 'client')).rejects.toMatchObject({
        code: 'payout_not_retryable',
      });
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    });

    test('are not sent with their next payout, nor called paid while it may still pay them', async () => {
      const [later] = await scene.withdraw();
      if (!later) throw new Error('Nothing was withdrawn.');
      await scene.tells(earlier, settled());
      world.rail.answers = () => settled();
      const calls = world.rail.calls.length;
      await world.drive(later.id);
      expect(await world.payout(later.id)).toMatchObject({
        status: 'held',
        statusReason: expect.stringContaining('route_blocked: a rail says') as string,
      });
      await world.get(RemedyPayout).release(await world.payout(later.id), 'client');
      expect(await world.status(later.id)).toBe('held');
      expect(world.rail.calls).toHaveLength(calls);
      await expect(scene.resolve(earlier, 'paid')).rejects.toMatchObject({ code: 'illegal_transition' });
      expect(await scene.openDrift(earlier)).toHaveLength(1);
      await world.get(GiveUpPayout).run(await world.payout(later.id), 'its rows are in question');
      expect(await scene.resolve(earlier, 'paid')).toBe(1);
      expect(await scene.statuses(first, second)).toEqual(['paid', 'owed']);
    });

    test('go on with their next payout once the operator says that they are owed', async () => {
      const [later] = await scene.withdraw();
      if (!later) throw new Error('Nothing was withdrawn.');
      await scene.tells(earlier, settled());
      world.rail.answers = () => accepted();
      await world.drive(later.id);
      await scene.resolve(earlier, 'owed');
      await world.get(RemedyPayout).release(await world.payout(later.id), 'client');
      await world.drive(later.id);
      expect(await world.status(later.id)).toBe('submitted');
    });

    test('cannot be called paid once another payout paid them', async () => {
      const [later] = await scene.withdraw();
      world.rail.answers = () => settled();
      await world.drive(later?.id ?? '');
      await scene.tells(earlier, settled());
      await expect(scene.resolve(earlier, 'paid')).rejects.toMatchObject({
        code: 'illegal_transition',
        message: expect.stringContaining('rows: owed') as string,
      });
      expect(await scene.resolve(earlier, 'owed')).toBe(0);
    });

    test('are asked about where their last payout was never sent', async () => {
      const { externalId } = scene.payee;
      await world.get(UpsertPayee).run(client, { externalId, name: null });
      const [held] = await scene.withdraw();
      expect(held).toMatchObject({ status: 'held', amountCents: 7_000 });
      world.rail.knows.set(earlier.railKey, settled());
      await world.get(GiveUpPayout).run(await world.payout(held?.id ?? ''), null);
      await world.get(UpsertPayee).run(client, { externalId, name: 'Ada Lovelace' });
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.openDrift(earlier)).toHaveLength(1);
    });

    test('are asked about at each payout they were ever on', async () => {
      await scene.refusedWithdrawal();
      // The last payout's rail says no again, and an earlier one settled meanwhile.
      world.rail.knows.set(earlier.railKey, settled());
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.statuses(first)).toEqual(['owed']);
      expect(await scene.openDrift(earlier)).toHaveLength(1);
    });
  });

  test('of a payout whose rows left in parts wait, each of them', async () => {
    const prepaid = await world.client({ prepaid: true });
    scene = await OwedScene.of(world, prepaid);
    const fund = (amountCents: number) =>
      world.get(WalletBook).post({
        ...{ clientId: prepaid.id, type: amountCents < 0 ? 'adjustment' : 'deposit', currency: 'USD', amountCents },
        ...{ reference: randomUUID(), note: null },
      });
    await fund(10_000);
    for (const amountCents of [6_000, 4_000]) await scene.push(amountCents);
    const whole = await scene.refusedWithdrawal();
    world.rail.knows.set(whole.railKey, refused());
    await fund(-4_000);
    const part = await scene.refusedWithdrawal();
    expect(part.amountCents).toBe(6_000);
    await fund(4_000);
    world.rail.knows.set(part.railKey, { kind: 'never_seen' });
    await scene.tells(whole, settled());
    expect(await scene.openDrift(whole)).toHaveLength(1);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('of a payout that failed only for now are paid with it, and its rail may say so again', async () => {
    const first = await scene.push(6_000);
    const payout = await scene.refusedWithdrawal();
    await scene.isListed(payout);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await world.status(payout.id)).toBe('paid');
    const trail = await world.db.rows('SELECT type, actor FROM payout_trail WHERE payout_id = $1 ORDER BY sequence', [
      payout.id,
    ]);
    expect(trail.slice(-1)).toEqual([{ type: 'settle', actor: 'operator' }]);
    await scene.push(7_000);
    world.rail.knows.set(payout.railKey, settled());
    await compare(world);
    expect(await scene.statuses(first)).toEqual(['paid']);
    expect(await scene.balance()).toEqual({ withdrawableCents: 7_000, landedCents: 6_000 });
  });

  test('a payout that cannot be changed keeps no other from being compared', async () => {
    const [broken, other] = [await scene.push(6_000), await OwedScene.of(world, client)];
    const stuck = await scene.refusedWithdrawal();
    await world.db.execute('UPDATE balances SET withdrawable_cents = 0 WHERE payee_id = $1', [scene.payee.id]);
    await other.push(2_000);
    const going = await other.refusedWithdrawal();
    for (const { railKey } of [stuck, going]) world.rail.knows.set(railKey, settled());
    world.rail.moved = [stuck, going].map(({ railKey, amountCents }) => ({
      ...{ railKey, providerRef: 'ref', amountCents, currency: 'USD', movedAt: systemClock.now() },
    }));
    await compare(world);
    expect(await world.status(going.id)).toBe('paid');
    expect(await scene.statuses(broken)).toEqual(['owed']);
    expect(await scene.openDrift(stuck)).toHaveLength(1);
  });

  test('that were called paid, and whose money the bank sent back, are told of once more', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'paid');
    await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 100, ourCents: 6_000 }]);
  });

  test('a part of them that was linked to another payout waits too, once that one failed', async () => {
    const [first] = [await scene.push(6_000), await scene.push(4_000)];
    const whole = await scene.refusedWithdrawal('permanent');
    const replacement = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => accepted();
    await world.drive(replacement.id);
    world.rail.answers = null;
    const link = { replacementTransactionId: replacement.id, disbursementIds: [first] };
    await world.get(LinkRecovery).run(client, link);
    await scene.tells(replacement, refused());
    expect(await world.status(replacement.id)).toBe('failed');
    await scene.tells(whole, settled());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('of a prepaid client draw on its wallet once they are called paid', async () => {
    const prepaid = await world.client({ prepaid: true });
    scene = await OwedScene.of(world, prepaid);
    const deposit = { clientId: prepaid.id, type: 'deposit', currency: 'USD', amountCents: 10_000 } as const;
    await world.get(WalletBook).post({ ...deposit, reference: randomUUID(), note: null });
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'paid');
    const covers = await world.db.inTransaction(() =>
      world.get(WalletBook).lockAvailable([{ clientId: prepaid.id, currency: 'USD' }]),
    );
    expect([...covers.values()]).toEqual([4_000]);
  });
});
