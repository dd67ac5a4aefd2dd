/** A row leaves only once its rails said no about each payout that it was ever on, or came back from. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout, SelfReleaseJobs } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';
import { LinkRecovery } from './use-cases/link-recovery';
import { ReleaseByItself } from './use-cases/release-by-itself';

describe('what is known of a row', () => {
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

  const paid = async (providerRef: string): Promise<Payout> => {
    world.rail.answers = () => settled(providerRef);
    const [payout] = await scene.withdraw();
    await world.drive(payout?.id ?? '');
    world.rail.answers = null;
    return world.payout(payout?.id ?? '');
  };
  const comesBack = (payout: Payout) => scene.tells(payout, { kind: 'bounced', feeCents: 0 });
  const linked = async (amountCents: number, ...disbursementIds: string[]): Promise<Payout> => {
    const replacement = await world.pay(client, scene.payee, amountCents);
    world.rail.answers = () => accepted(`for ${replacement.id}`);
    await world.drive(replacement.id);
    world.rail.answers = null;
    await world.get(LinkRecovery).run(client, { replacementTransactionId: replacement.id, disbursementIds });
    return world.payout(replacement.id);
  };
  const listedTwice = async ({ railKey, amountCents }: Payout): Promise<void> => {
    const moved = { railKey, amountCents, currency: 'USD', movedAt: systemClock.now() };
    world.rail.moved = ['one', 'two'].map((providerRef) => ({ ...moved, rail: 'custodial_a', providerRef }));
    await compare(world);
    world.rail.moved = [];
  };

  describe('that came back', () => {
    test.each([
      [
        'twice under one code',
        async () => {
          await scene.push(6_000);
          const payout = await paid('one');
          await comesBack(payout);
          await listedTwice(payout);
          return payout;
        },
      ],
      [
        'by a payout before',
        async () => {
          await scene.push(6_000);
          const before = await scene.refusedWithdrawal('permanent');
          world.rail.knows.set(before.railKey, refused('permanent'));
          const payout = await paid('later');
          await scene.tells(before, settled('before'));
          await comesBack(payout);
          return before;
        },
      ],
      [
        'by a payout before the one that it was linked to',
        async () => {
          const row = await scene.push(6_000);
          const before = await scene.refusedWithdrawal('permanent');
          const replacement = await linked(6_000, row);
          await scene.tells(replacement, settled(`for ${replacement.id}`));
          await comesBack(replacement);
          await scene.tells(before, settled('before'));
          return before;
        },
      ],
    ])('waits while a rail says that it was paid %s', async (_, disputed) => {
      const payout = await disputed();
      expect(await scene.openDrift(payout)).toHaveLength(1);
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
      await scene.push(1_000);
      expect(await scene.outcome()).toEqual([1_000]);
      await scene.resolve(payout, 'owed');
      expect(await scene.outcome()).toEqual([6_000]);
    });

    test('leaves as before where nobody disagrees, also a second time', async () => {
      await scene.push(6_000);
      for (const nth of [1, 2]) {
        await comesBack(await paid(`ref ${nth}`));
        expect(await scene.balance()).toMatchObject({ withdrawableCents: 6_000 });
      }
      expect(await scene.outcome()).toEqual([6_000]);
    });

    test('is not sent with its next payout either', async () => {
      await scene.push(6_000);
      const payout = await paid('one');
      await comesBack(payout);
      const [again] = await scene.withdraw();
      await listedTwice(payout);
      world.rail.answers = () => accepted('again');
      await world.drive(again?.id ?? '');
      expect([await world.status(again?.id ?? ''), world.rail.calls.length]).toEqual(['held', 1]);
      // Once the operator has looked, it goes on by itself.
      await scene.resolve(payout, 'owed');
      await world.get(SelfReleaseJobs).sweep();
      await world.work('payout.retry', again?.id ?? '');
      await world.drive(again?.id ?? '');
      expect(await world.status(again?.id ?? '')).toBe('submitted');
    });
  });

  describe('that stayed behind when others of its payout went on', () => {
    let whole: Payout;
    let first: string;
    const went = {
      'with a withdrawal that the wallet covers': async () => {
        const [part] = await scene.withdraw();
        expect(part?.amountCents).toBe(6_000);
        await fund(4_000);
      },
      'by a recovery link': async () => {
        await fund(6_000);
        await linked(6_000, first);
        await fund(4_000);
      },
    };
    const fund = (amountCents: number) =>
      world.get(WalletBook).post({
        ...{ clientId: client.id, type: amountCents < 0 ? 'adjustment' : 'deposit', currency: 'USD', amountCents },
        ...{ reference: randomUUID(), note: null },
      });
    const ways = Object.keys(went) as (keyof typeof went)[];

    describe.each(['transient', 'permanent'] as const)('after a %s refusal', (failure) => {
      test.each(ways)('is asked about: %s', async (way) => {
        client = await world.client({ prepaid: true });
        scene = await OwedScene.of(world, client);
        await fund(10_000);
        first = await scene.push(6_000);
        const second = await scene.push(4_000);
        whole = await scene.refusedWithdrawal(failure === 'permanent' ? failure : undefined);
        world.rail.knows.set(whole.railKey, refused('permanent'));
        await fund(-4_000);
        await went[way]();
        world.rail.knows.set(whole.railKey, settled());
        expect(await scene.outcome()).toBe('nothing_to_withdraw');
        expect(await scene.statuses(second)).toEqual(['owed']);
        expect(await scene.openDrift(whole)).toHaveLength(1);
      });
    });
    afterAll(async () => {
      client = await world.client();
    });
  });

  describe('whose rail has forgotten the code', () => {
    const ways = { asked: () => scene.outcome(), 'by itself': () => byItself() };
    const byItself = async (): Promise<number[] | string> => {
      await world.get(ReleaseByItself).ofPayee(scene.payee.id);
      const rows = await world.db.rows<{ cents: number }>(
        `SELECT amount_cents AS cents FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
        [scene.payee.id],
      );
      return rows.length === 0 ? 'nothing_to_withdraw' : rows.map(({ cents }) => cents);
    };
    let payout: Payout;
    const forgotten = async (failure?: 'permanent'): Promise<void> => {
      scene = await OwedScene.of(world, client, 'IT');
      await scene.push(6_000);
      payout = await scene.refusedWithdrawal(failure);
    };
    const forget = async (): Promise<void> => {
      await world.age(payout.id, 7_200);
      world.rail.knows.delete(payout.railKey);
    };

    describe.each([undefined, 'permanent'] as const)('after a refusal (%s)', (failure) => {
      test.each(Object.keys(ways) as (keyof typeof ways)[])(
        'stays: that it never saw it says nothing (%s)',
        async (way) => {
          await forgotten(failure);
          await forget();
          expect(await ways[way]()).toBe('nothing_to_withdraw');
        },
      );

      test.each(Object.keys(ways) as (keyof typeof ways)[])('leaves if its last word was no (%s)', async (way) => {
        await forgotten(failure);
        await world.age(payout.id, 3_100);
        await world.lookOnceMore(payout.id);
        await forget();
        expect(await ways[way]()).toEqual([6_000]);
      });
    });

    test('stays if it was sent once more since the rail said no', async () => {
      await forgotten();
      await world.lookOnceMore(payout.id);
      world.rail.answers = () => refused();
      await world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
      await world.drive(payout.id);
      await forget();
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
    });

    const giveUp = async (neverSeen = false): Promise<void> => {
      await world.get(GiveUpPayout).run(await world.payout(payout.id), 'asked at the provider', neverSeen);
    };

    test('leaves once an operator gave the payout up, and its rail has forgotten it', async () => {
      await forgotten();
      await forget();
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
      await giveUp();
      expect(await scene.outcome()).toEqual([6_000]);
    });

    test.each([undefined, 'permanent'] as const)(
      'leaves only once an admin says that its rail never saw it, which cannot be asked (%s)',
      async (failure) => {
        await forgotten(failure);
        await forget();
        world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'gone' });
        await giveUp();
        expect(await scene.outcome()).toBe('nothing_to_withdraw');
        await giveUp(true);
        expect(await scene.outcome()).toEqual([6_000]);
      },
    );
  });

  test.each([
    ['cannot tell by now', { kind: 'unknown', detail: 'no answer' } as const, [1_000]],
    ['says by now that it paid it', settled('late'), [1_000]],
  ])('of a payout that all went on, and whose rail said no once and %s', async (_, fact, leaves) => {
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    await scene.push(1_000);
    const after = await scene.refusedWithdrawal();
    world.rail.knows.set(after.railKey, refused());
    world.rail.knows.set(before.railKey, fact);
    expect(await scene.outcome()).toEqual(leaves);
  });

  test('that waits for its floor keeps that reason while it is in dispute, and goes on by itself after that', async () => {
    scene = await OwedScene.of(world, client, 'IT');
    const floors = async (value: string): Promise<void> => {
      await world.db.execute('UPDATE clients SET floors = $2 WHERE id = $1', [client.id, value]);
      world.get(ClientRegistry).changed(client.id);
    };
    await scene.push(150);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    await floors('{"swap_rail": 1000}');
    await scene.push(20);
    const [waiting] = await scene.withdraw();
    await scene.isListed(before);
    await floors('{}');
    await world.get(SelfReleaseJobs).sweep();
    expect(await world.payout(waiting?.id ?? '')).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('below_min_payout') as string,
    });
    await scene.resolve(before, 'owed');
    world.rail.knows.set(before.railKey, refused());
    await world.get(SelfReleaseJobs).sweep();
    await world.work('payout.retry', waiting?.id ?? '');
    expect(await world.status(waiting?.id ?? '')).toBe('authorized');
  });

  test('a replacement about which a rail and we disagree takes no rows', async () => {
    const row = await scene.push(6_000);
    await scene.refusedWithdrawal('permanent');
    const replacement = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => settled('one');
    await world.drive(replacement.id);
    await listedTwice(replacement);
    const link = { replacementTransactionId: replacement.id, disbursementIds: [row] };
    await expect(world.get(LinkRecovery).run(client, link)).rejects.toMatchObject({
      code: 'replacement_transaction_not_active',
    });
  });
});
