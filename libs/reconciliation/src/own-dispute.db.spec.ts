/** What leaves once more, by itself or because somebody asks, while a rail may have moved its money already. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { type Payee, UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout, SelfReleaseJobs } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, ReleaseFunded, ReleaseHeld } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { compare, startReconciledWorld } from '../testing/src';

describe('a payout that may have been paid already', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());
  afterEach(() => world.db.execute('DELETE FROM jobs'));

  const settings = async (set: string): Promise<void> => {
    await world.db.execute(`UPDATE clients SET ${set} WHERE id = $1`, [client.id]);
    world.get(ClientRegistry).changed(client.id);
  };
  const fund = (amountCents: number) =>
    world.get(WalletBook).post({
      ...{ clientId: client.id, type: amountCents < 0 ? 'adjustment' : 'deposit', currency: 'USD', amountCents },
      ...{ reference: randomUUID(), note: null },
    });
  const refusedOnce = async (failure?: 'funding'): Promise<Payout> => {
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => refused(failure);
    await world.drive(id);
    world.rail.answers = null;
    return world.payout(id);
  };
  /** It waits at its gates again, as the client that retried it sees. */
  const retried = async (payout: Payout): Promise<Payout> => {
    world.rail.knows.set(payout.railKey, refused());
    await world.get(RemedyPayout).retry(payout, 'client');
    return world.payout(payout.id);
  };
  const dayIsOver = async () => {
    await world.db.execute(
      `UPDATE payouts SET authorized_on = authorized_on - 1, updated_at = updated_at - interval '1 day' WHERE payee_id = $1`,
      [payee.id],
    );
    await world.db.execute('UPDATE balances SET day = day - 1 WHERE payee_id = $1', [payee.id]);
  };
  /** The rail lists it among what it moved, and cannot say more about it. */
  const listed = async ({ railKey, amountCents }: Payout): Promise<void> => {
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    world.rail.moved = [{ railKey, providerRef: 'one', amountCents, currency: 'USD', movedAt: systemClock.now() }];
    await compare(world);
    world.rail.moved = [];
  };
  const open = async ({ id }: Payout): Promise<string[]> => {
    const drift = await world.get(DriftReads).list({ open: true }, null, 100);
    return drift.filter(({ payoutId }) => payoutId === id).map(({ kind }) => kind);
  };
  const sends = ({ railKey }: Payout): number =>
    world.rail.calls.filter(({ order }) => order.railKey === railKey).length;
  /** All that anybody would do about it by now. */
  const goesOn = async ({ id }: Payout): Promise<void> => {
    await world.get(SelfReleaseJobs).sweep();
    await world.get(SelfReleaseJobs).release();
    for (const name of ['payout.retry', 'payout.drive'] as const) {
      const jobs = await world.db.rows('SELECT FROM jobs WHERE name = $1 AND entity_id = $2', [name, id]);
      if (jobs.length > 0) await world.work(name, id);
    }
  };

  interface Cause {
    name: string;
    settings?: Partial<Client>;
    country?: string;
    wasSent: boolean;
    held(): Promise<Payout>;
    passes(payout: Payout): Promise<unknown>;
  }
  const CAUSES: Cause[] = [
    {
      ...{ name: 'funds of its rail', country: 'FR', wasSent: true },
      held: () => refusedOnce('funding'),
      passes: ({ id }) => world.get(ReleaseHeld).funded(payee.id, id),
    },
    {
      ...{ name: 'funds of its wallet', settings: { prepaid: true }, wasSent: true },
      held: async () => {
        await fund(1_000);
        const payout = await refusedOnce();
        await fund(-1_000);
        return retried(payout);
      },
      passes: async () => {
        await fund(1_000);
        await world.get(ReleaseFunded).ofClient(client.id);
      },
    },
    {
      ...{ name: 'another day, after it was sent', settings: { caps: { dailyCents: 1_500 } }, wasSent: true },
      held: async () => {
        const payout = await refusedOnce();
        await world.pay(client, payee);
        return retried(payout);
      },
      passes: dayIsOver,
    },
    {
      ...{ name: 'another day', settings: { caps: { dailyCents: 1_500 } }, wasSent: false },
      held: async () => {
        await world.pay(client, payee);
        return world.pay(client, payee);
      },
      passes: dayIsOver,
    },
    {
      ...{ name: 'its floor', settings: { floors: { claim_rail: 5_000 } }, wasSent: false },
      held: () => world.pay(client, payee),
      passes: () => settings(`floors = '{}'`),
    },
  ];
  const heldFor = async (cause: Cause): Promise<Payout> => {
    client = await world.client(cause.settings);
    payee = await world.payee(client, { country: cause.country ?? 'DE' });
    if (cause.country) await world.adopt(client, payee);
    const payout = await cause.held();
    expect([payout.status, payout.submittedAt !== null]).toEqual(['held', cause.wasSent]);
    return payout;
  };

  describe.each(CAUSES)('and waits for $name', (cause) => {
    test('waits on, with its reason, while a difference about it is open', async () => {
      const payout = await heldFor(cause);
      await listed(payout);
      expect(await open(payout)).toEqual(['not_paid_here']);
      const before = sends(payout);
      world.rail.answers = () => accepted('two');
      await cause.passes(payout);
      await goesOn(payout);
      expect(await world.payout(payout.id)).toMatchObject({ status: 'held', statusReason: payout.statusReason });
      expect(sends(payout)).toBe(before);
      expect(await open(payout)).toEqual(['not_paid_here']);
    });

    test('is held by a release while a difference about it is open', async () => {
      const payout = await heldFor(cause);
      await listed(payout);
      await cause.passes(payout);
      expect(await world.get(RemedyPayout).release(await world.payout(payout.id), 'client')).toMatchObject({
        status: 'held',
        statusReason: expect.stringContaining('the operator has to look') as string,
      });
      await compare(world);
      expect(await open(payout)).toEqual(['not_paid_here']);
    });

    test('goes on by itself', async () => {
      const payout = await heldFor(cause);
      world.rail.knows.set(payout.railKey, refused());
      const before = sends(payout);
      world.rail.answers = () => accepted();
      await cause.passes(payout);
      await goesOn(payout);
      if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
      expect([await world.status(payout.id), sends(payout)]).toEqual(['submitted', before + 1]);
    });
  });

  describe.each(CAUSES.filter(({ wasSent }) => wasSent))('and was held, after it was sent, for $name', (cause) => {
    test('is asked about, and what moved counts', async () => {
      const payout = await heldFor(cause);
      world.rail.knows.set(payout.railKey, settled('one'));
      const before = sends(payout);
      await cause.passes(payout);
      await goesOn(payout);
      expect([await world.status(payout.id), sends(payout)]).toEqual(['paid', before]);
    });

    test('is not sent while its rail, which may have forgotten it, cannot be asked', async () => {
      const payout = await heldFor(cause);
      await world.age(payout.id, 7_200);
      world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'no answer' });
      const before = sends(payout);
      await cause.passes(payout);
      await goesOn(payout);
      expect([await world.status(payout.id), sends(payout)]).toEqual(['held', before]);
    });
  });

  describe('and failed for now', () => {
    beforeEach(async () => {
      client = await world.client();
      payee = await world.payee(client);
    });

    test.each(['client', 'system'] as const)(
      'is not tried again by the %s: the difference stays open',
      async (actor) => {
        const payout = await refusedOnce('funding');
        expect(payout.status).toBe('failed');
        await listed(payout);
        await expect(world.get(RemedyPayout).retry(payout, actor)).rejects.toMatchObject({
          code: 'payout_not_retryable',
          message: expect.stringContaining('operator') as string,
        });
        if (actor === 'system') await goesOn(payout);
        await compare(world);
        expect([await world.status(payout.id), sends(payout)]).toEqual(['failed', 1]);
        expect(await open(payout)).toEqual(['not_paid_here']);
      },
    );
  });

  describe('and is about to be sent', () => {
    beforeEach(async () => {
      client = await world.client();
      payee = await world.payee(client);
    });

    test.each([
      ['under its own id', ''],
      ['as money that nobody asked for', `, payout_id = NULL, kind = 'unknown_here'`],
    ])('is held when its code has a movement %s', async (_, as) => {
      const payout = await world.pay(client, payee);
      await listed(payout);
      await world.db.execute(`UPDATE drift SET note = NULL${as} WHERE payout_id = $1`, [payout.id]);
      world.rail.answers = () => accepted('two');
      await world.drive(payout.id);
      expect([await world.status(payout.id), sends(payout)]).toEqual(['held', 0]);
    });
  });

  test('held before its payee got another address, it does not follow them there while they cool down', async () => {
    const cause = CAUSES.find(({ name }) => name === 'another day') as Cause;
    const payout = await heldFor(cause);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
    await cause.passes(payout);
    await goesOn(payout);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'held', statusReason: payout.statusReason });
    expect(await world.get(RemedyPayout).release(await world.payout(payout.id), 'client')).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('not_payable') as string,
    });
    // One that is asked for by now goes where they are.
    expect(await world.pay(client, payee, 200)).toMatchObject({ status: 'authorized' });
  });
});
