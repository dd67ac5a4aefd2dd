/** One code is one movement with one reference: whatever a rail tells under a second one is named, and stays open. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads, type Drift } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { AskRail, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact, RailMovement } from '#libs/rail-kit';
import { compare, startReconciledWorld } from '../testing/src';
import { ResolveDrift } from './use-cases/resolve-drift';

describe('a second reference under one code', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (answer = accepted('one'), country = 'DE'): Promise<Payout> => {
    const payee = await world.payee(client, { country });
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, payee);
    if (country !== 'ES') await world.drive(id); // there the request sends it
    return world.payout(id);
  };
  const tells = async ({ id, railKey }: Payout, fact: LookupFact): Promise<void> => {
    world.rail.knows.set(railKey, fact);
    await world.get(AskRail).lookUp(await world.payout(id));
  };
  const listed = ({ railKey, amountCents }: Payout, providerRef: string, more: Partial<RailMovement> = {}) => ({
    ...{ railKey, amountCents, providerRef, currency: 'USD', movedAt: systemClock.now(), ...more },
  });
  /** Each time the rail lists what moved since the last one. */
  const listing = async (...movements: RailMovement[]): Promise<void> => {
    world.rail.moved = movements;
    await compare(world);
  };
  const open = async ({ id }: Payout): Promise<Drift[]> =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);
  const resolve = async (payout: Payout): Promise<void> => {
    for (const { id } of await open(payout)) await world.get(ResolveDrift).run(id, { by: 'ada', note: null });
  };
  const DOUBLED = { kind: 'amount_differs', providerRef: 'two', railCents: 2_000, ourCents: 1_000 };
  const AWAITING = { kind: 'awaiting_payee', providerRef: 'two', claimUrl: 'https://example.com/two' } as const;

  describe('that a rail tells', () => {
    test.each<[string, LookupFact]>([
      ['accepted', accepted('two')],
      ['awaiting its payee', AWAITING],
      ['claimed', { kind: 'claimed', providerRef: 'two' }],
      ['settled', settled('two')],
    ])('as %s, of money that is under way, is named, and the first stays on record', async (_, fact) => {
      const payout = await sent();
      await tells(payout, fact);
      expect(await open(payout)).toMatchObject([{ ...DOUBLED, ourStatus: 'submitted' }]);
      expect(await world.payout(payout.id)).toMatchObject({ providerRef: 'one', claimUrl: null });
    });

    test.each<[string, LookupFact]>([
      ['accepted', accepted('two')],
      ['settled', settled('two')],
    ])('as %s, of money that moved, is named', async (_, fact) => {
      const payout = await sent(settled('one'), 'ES');
      await tells(payout, fact);
      expect(await open(payout)).toMatchObject([{ ...DOUBLED, ourStatus: 'paid' }]);
    });

    test.each<[string, LookupFact]>([
      ['accepted', accepted('two')],
      ['settled', settled('two')],
    ])('as %s, of money that came back, is named by the job that asks about it', async (_, fact) => {
      const payout = await sent(settled('one'), 'ES');
      await tells(payout, { kind: 'bounced', feeCents: 0 });
      expect(await world.status(payout.id)).toBe('returned');
      world.rail.knows.set(payout.railKey, fact);
      await world.db.execute(`INSERT INTO jobs (name, entity_id, lane) VALUES ('payout.look', $1, 'at_once')`, [
        payout.id,
      ]);
      await world.look(payout.id);
      expect(await open(payout)).toMatchObject([{ ...DOUBLED, ourStatus: 'returned' }]);
    });

    test('stays named while the rail goes on with the first, until an operator closes it', async () => {
      const payout = await sent();
      await tells(payout, accepted('two'));
      await tells(payout, settled('one'));
      await listing(listed(payout, 'one'));
      expect(await world.status(payout.id)).toBe('paid');
      expect(await open(payout)).toHaveLength(1);
      await resolve(payout);
      // It was only taken on when the operator looked.
      await tells(payout, settled('two'));
      expect(await open(payout)).toMatchObject([{ ...DOUBLED, hasMoved: true }]);
      await resolve(payout);
      await tells(payout, settled('two'));
      expect(await open(payout)).toEqual([]);
      await tells(payout, settled('three'));
      expect(await open(payout)).toMatchObject([{ ...DOUBLED, providerRef: 'three' }]);
    });

    test('of what ended for good is named beside the first, also after that one was closed', async () => {
      const payout = await sent(refused('permanent'));
      await tells(payout, settled('one'));
      await tells(payout, settled('two'));
      const kinds = (rows: Drift[]) => rows.map(({ kind, providerRef }) => `${kind} ${providerRef}`).sort();
      expect(kinds(await open(payout))).toEqual(['amount_differs two', 'not_paid_here one']);
      await resolve(payout);
      for (const ref of ['one', 'two']) await tells(payout, settled(ref));
      expect(await open(payout)).toEqual([]);
      await tells(payout, settled('three'));
      expect(kinds(await open(payout))).toEqual(['amount_differs three']);
    });

    test('is the first of its try where the one before was refused', async () => {
      const payout = await sent();
      await tells(payout, refused());
      expect(await world.status(payout.id)).toBe('failed');
      world.rail.answers = () => accepted('two');
      await world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
      await world.drive(payout.id);
      await tells(payout, settled('two'));
      await listing(listed(payout, 'two'));
      expect(await world.payout(payout.id)).toMatchObject({ status: 'paid', providerRef: 'two' });
      expect(await open(payout)).toEqual([]);
    });

    test('is the only one where none was on record', async () => {
      const payout = await sent(settled('one'), 'ES');
      await world.db.execute('UPDATE payouts SET provider_ref = NULL WHERE id = $1', [payout.id]);
      await tells(payout, settled('one'));
      expect(await open(payout)).toEqual([]);
      await tells(payout, settled('two'));
      expect(await open(payout)).toMatchObject([DOUBLED]);
    });
  });

  describe('that a rail lists', () => {
    test('in another list than the first is named, and stays so', async () => {
      const payout = await sent(settled('one'), 'ES');
      await listing(listed(payout, 'one'));
      expect(await open(payout)).toEqual([]);
      await listing(listed(payout, 'two'));
      expect(await open(payout)).toMatchObject([DOUBLED]);
      await listing(listed(payout, 'one'));
      await listing();
      expect(await open(payout)).toHaveLength(1);
    });

    test('is named also where the first was told and never listed', async () => {
      const payout = await sent(settled('one'), 'ES');
      await listing(listed(payout, 'two'));
      expect(await open(payout)).toMatchObject([DOUBLED]);
    });

    test('is named where no reference is on record', async () => {
      const payout = await sent(settled('one'), 'ES');
      await world.db.execute('UPDATE payouts SET provider_ref = NULL WHERE id = $1', [payout.id]);
      await listing(listed(payout, 'one'));
      expect(await open(payout)).toEqual([]);
      await listing(listed(payout, 'two'));
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 2_000 }]);
    });

    test('adds up with the first where no payout asked for either', async () => {
      const nobodys = { id: '', railKey: 'gw-nobody', amountCents: 1_000 } as Payout;
      for (const ref of ['one', 'two']) await listing(listed(nobodys, ref));
      const drift = await world.get(DriftReads).list({ open: true }, null, 100);
      expect(drift.filter(({ rail, railKey }) => rail === 'at_once' && railKey === nobodys.railKey)).toMatchObject([
        { kind: 'unknown_here', railCents: 2_000 },
      ]);
    });

    test('completes the sum where the first was a part of it', async () => {
      const payout = await sent(settled('one'), 'ES');
      await listing(listed(payout, 'one', { amountCents: 600 }));
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 600 }]);
      await listing(listed(payout, 'two', { amountCents: 400 }));
      expect(await open(payout)).toEqual([]);
    });

    test('in another currency is not closed by what is listed in the right one', async () => {
      const payout = await sent(settled('one'), 'ES');
      const both = [listed(payout, 'one'), listed(payout, 'two', { currency: 'EUR' })];
      for (const movement of [...both, both[0] as RailMovement]) await listing(movement);
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCurrency: 'EUR' }]);
    });

    test('is not told from the first by anything but its time where movements carry none', async () => {
      const payout = await sent(settled('one'), 'ES');
      const first = listed(payout, '');
      await listing(first);
      await listing(first);
      expect(await open(payout)).toEqual([]);
      await listing({ ...first, movedAt: new Date(first.movedAt.getTime() + 1) });
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 2_000 }]);
    });
  });

  test('of one movement that is corrected counts once', async () => {
    const payout = await sent(settled('one'), 'ES');
    await listing(listed(payout, 'one', { amountCents: 900 }));
    expect(await open(payout)).toMatchObject([{ railCents: 900 }]);
    await listing(listed(payout, 'one'));
    expect(await open(payout)).toEqual([]);
  });
});
