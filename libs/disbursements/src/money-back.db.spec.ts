/** Rows that an operator called paid, and whose money the bank sent back: they are owed again once an operator says so. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that came back after an operator called its rows paid', () => {
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

  const back: LookupFact = { kind: 'bounced', feeCents: 100 };
  /** A payout that ended for good, whose money moved, as an operator found. */
  const calledPaid = async (): Promise<{ first: string; payout: Payout }> => {
    const first = await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    return { first, payout };
  };
  const trail = async ({ id }: Payout): Promise<string[]> => {
    const rows = await world.db.rows<{ step: string }>(
      `SELECT concat_ws(' ', type, actor, from_status, to_status) AS step FROM payout_trail
       WHERE payout_id = $1 ORDER BY sequence`,
      [id],
    );
    return rows.map(({ step }) => step);
  };
  const events = async ({ id }: Payout): Promise<string[]> => {
    const rows = await world.db.rows<{ status: string }>(
      `SELECT payload ->> 'status' AS status FROM events WHERE entity_id = $1 ORDER BY sequence`,
      [id],
    );
    return rows.map(({ status }) => status);
  };
  const available = async ({ id }: Client): Promise<number[]> => {
    const covers = await world.db.inTransaction(() =>
      world.get(WalletBook).lockAvailable([{ clientId: id, currency: 'USD' }]),
    );
    return [...covers.values()];
  };
  const prepaidScene = async (): Promise<Client> => {
    const prepaid = await world.client({ prepaid: true });
    scene = await OwedScene.of(world, prepaid);
    const deposit = { clientId: prepaid.id, type: 'deposit', currency: 'USD', amountCents: 10_000 } as const;
    await world.get(WalletBook).post({ ...deposit, reference: randomUUID(), note: null });
    return prepaid;
  };

  test('is owed again, in the trail and told, and leaves under another code', async () => {
    const { first, payout } = await calledPaid();
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    await scene.tells(payout, back);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', liftingFeeCents: 100 }]);
    const told = await events(payout);
    expect(await scene.resolve(payout, 'owed')).toBe(1);
    expect(await scene.statuses(first)).toEqual(['owed']);
    expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
    expect((await trail(payout)).slice(-2)).toEqual([
      'found_landed operator failed failed',
      'found_returned operator failed failed',
    ]);
    expect(await events(payout)).toEqual([...told, 'failed']);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    const [again] = await scene.withdraw();
    expect(again).toMatchObject({ amountCents: 6_000 });
    expect(again?.railKey).not.toBe(payout.railKey);
    world.rail.answers = () => settled('again');
    await world.drive(again?.id ?? '');
    expect(await scene.statuses(first)).toEqual(['paid']);
  });

  test('is owed again once, however often its rail repeats itself', async () => {
    const { first, payout } = await calledPaid();
    await scene.tells(payout, back);
    await scene.resolve(payout, 'owed');
    for (const fact of [back, back]) await scene.tells(payout, fact);
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    expect(await scene.statuses(first)).toEqual(['owed']);
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('goes back to the wallet it was taken from, less what the bank kept', async () => {
    const prepaid = await prepaidScene();
    const { first, payout } = await calledPaid();
    expect(await available(prepaid)).toEqual([4_000]);
    await scene.tells(payout, back);
    await scene.resolve(payout, 'owed');
    expect(await available(prepaid)).toEqual([9_900]);
    expect(await scene.statuses(first)).toEqual(['owed']);
  });

  test('of which the bank kept all brings the wallet nothing', async () => {
    const prepaid = await prepaidScene();
    const { payout } = await calledPaid();
    await scene.tells(payout, { kind: 'bounced', feeCents: 7_000 });
    expect(await scene.resolve(payout, 'owed')).toBe(1);
    expect(await available(prepaid)).toEqual([4_000]);
  });

  test('of a payout whose rows went on makes those owed that were called paid, and no others', async () => {
    const first = await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal();
    world.rail.knows.set(earlier.railKey, refused());
    const second = await scene.push(1_000);
    const later = await scene.refusedWithdrawal();
    world.rail.knows.set(later.railKey, refused());
    await scene.tells(earlier, settled());
    await scene.resolve(earlier, 'paid');
    await scene.tells(earlier, back);
    const [alone] = await scene.withdraw();
    expect(alone?.amountCents).toBe(1_000);
    world.rail.answers = () => settled('alone');
    await world.drive(alone?.id ?? '');
    expect(await scene.resolve(earlier, 'owed')).toBe(1);
    expect(await scene.statuses(first, second)).toEqual(['owed', 'paid']);
    expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 1_000 });
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('stays paid where the operator says so, and where the difference is another', async () => {
    const { first, payout } = await calledPaid();
    await scene.tells(payout, back);
    expect(await scene.resolve(payout, 'paid')).toBe(0);
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, settled('another'));
    expect(await scene.resolve(payout, 'owed')).toBe(0);
    expect(await scene.statuses(first)).toEqual(['paid']);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
  });

  test('that is known while a second payment is in question is owed again with that', async () => {
    const { first, payout } = await calledPaid();
    await scene.tells(payout, settled('another'));
    await scene.isListed({ ...payout, amountCents: 12_000 }, 'both');
    await scene.tells(payout, back);
    expect(await scene.openDrift(payout)).toContainEqual(
      expect.objectContaining({ kind: 'amount_differs', railCents: 12_000, liftingFeeCents: 100 }),
    );
    while ((await scene.openDrift(payout)).length > 0) await scene.resolve(payout, 'owed');
    expect(await scene.statuses(first)).toEqual(['owed']);
  });

  test('before anybody called them paid leaves them owed', async () => {
    const first = await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, back);
    expect(await scene.resolve(payout, 'owed')).toBe(0);
    expect(await scene.statuses(first)).toEqual(['owed']);
    expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
    expect(await scene.outcome()).toEqual([6_000]);
  });

  describe('for a direct payout', () => {
    const direct = async (fact: LookupFact, answer = refused('permanent')): Promise<Payout> => {
      const { id } = await world.pay(scene.client, scene.payee, 6_000);
      world.rail.answers = () => answer;
      await world.drive(id);
      const payout = await world.payout(id);
      world.rail.answers = null;
      await scene.tells(payout, fact);
      return world.payout(id);
    };

    test('that failed only for now it is paid with it', async () => {
      const { id, railKey } = await direct({ kind: 'never_seen' }, refused());
      await scene.isListed(await world.payout(id));
      await scene.resolve(await world.payout(id), 'paid');
      expect(await world.payout(id)).toMatchObject({ status: 'paid', providerRef: 'ref' });
      expect((await events(await world.payout(id))).slice(-1)).toEqual(['paid']);
      expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
      world.rail.knows.set(railKey, settled());
      await compare(world);
      expect(await scene.openDrift(await world.payout(id))).toEqual([]);
    });

    test('that ended for good it stays failed, and counts as landed and spent', async () => {
      const prepaid = await prepaidScene();
      const payout = await direct(settled());
      expect(await available(prepaid)).toEqual([10_000]);
      await scene.resolve(payout, 'paid');
      expect(await world.payout(payout.id)).toMatchObject({
        ...{ status: 'failed', failureKind: 'permanent' },
        statusReason: expect.stringMatching(/^paid_after_all: /) as string,
      });
      expect((await trail(payout)).slice(-1)).toEqual(['found_landed operator failed failed']);
      expect((await events(payout)).slice(-2)).toEqual(['failed', 'failed']);
      expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
      expect(await available(prepaid)).toEqual([4_000]);
    });

    test('it is charged once, and a second payment is to be recovered', async () => {
      const prepaid = await prepaidScene();
      const payout = await direct(settled());
      await scene.resolve(payout, 'paid');
      await scene.tells(payout, settled('another'));
      await expect(scene.resolve(payout, 'paid')).rejects.toMatchObject({ code: 'illegal_transition' });
      await scene.resolve(payout, 'owed');
      expect(await scene.openDrift(payout)).toEqual([]);
      expect(await available(prepaid)).toEqual([4_000]);
      expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    });

    test('that was called paid it goes back to the wallet, and can land once more', async () => {
      const prepaid = await prepaidScene();
      const payout = await direct(settled());
      await scene.resolve(payout, 'paid');
      await scene.tells(payout, back);
      await scene.resolve(payout, 'owed');
      expect((await trail(payout)).slice(-1)).toEqual(['found_returned operator failed failed']);
      expect((await world.payout(payout.id)).statusReason).toMatch(/^bank_returned: /);
      expect(await available(prepaid)).toEqual([9_900]);
      expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 0 });
      await scene.tells(payout, settled('another'));
      await scene.resolve(payout, 'paid');
      expect(await available(prepaid)).toEqual([3_900]);
    });

    test('that is under way it is paid with it', async () => {
      const payout = await direct(accepted(), accepted());
      await scene.isListed({ ...payout, amountCents: 5_900 });
      await scene.resolve(payout, 'paid');
      expect(await world.status(payout.id)).toBe('paid');
    });

    test.each(['paid', 'returned'])('that is %s already it cannot be called paid', async (status) => {
      const payout = await direct(status === 'paid' ? settled() : back, accepted());
      expect(payout.status).toBe(status);
      await scene.tells(payout, settled('another'));
      await expect(scene.resolve(payout, 'paid')).rejects.toMatchObject({ code: 'illegal_transition' });
    });

    test('that was never sent it is called paid only once that one is given up', async () => {
      const { id, railKey } = await world.pay(client, scene.payee, 6_000);
      const payout = await world.payout(id);
      await scene.isListed(payout);
      expect(railKey).toBe(payout.railKey);
      await expect(scene.resolve(payout, 'paid')).rejects.toMatchObject({ code: 'illegal_transition' });
      expect(await scene.openDrift(payout)).toHaveLength(1);
    });
  });
});
