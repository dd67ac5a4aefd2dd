/** A question that a rail could not answer is asked again until it can, whoever had raised it. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { JobName } from '#libs/jobs';
import type { Payout } from '#libs/payout-rules';
import { AskRail, ChangePayout, PayoutJobs, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { RailHints } from '#libs/rail-registry';
import { compare, startReconciledWorld } from '../testing/src';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const BOUNCED = { kind: 'bounced', feeCents: 0 } as const;

describe('what a rail could not answer', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (answer = accepted('one')): Promise<Payout> => {
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, await world.payee(client));
    await world.drive(id);
    world.rail.answers = null;
    return world.payout(id);
  };
  const jobs = ({ id }: Payout, name: JobName) =>
    world.db.rows('SELECT FROM jobs WHERE entity_id = $1 AND name = $2', [id, name]);
  const openDrift = async ({ id }: Payout) =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);

  const RAISED: Record<string, (payout: Payout) => Promise<unknown>> = {
    'a notice': (payout) => world.get(PayoutJobs).lookAll([payout]),
    'a hint': ({ provider, railKey }) => world.get(RailHints).hint(provider ?? '', railKey),
    'a link': ({ id }) => world.db.inTransaction(() => world.get(ChangePayout).askAbout([id])),
  };
  const NEWS = [
    ['paid', settled('one'), BOUNCED, 'returned'],
    ['refused for now', refused(), settled('one'), 'paid'],
    ['refused for good', refused('permanent'), settled('one'), 'failed'],
  ] as const;

  test.each(Object.keys(RAISED).flatMap((raised) => NEWS.map((news) => [raised, ...news] as const)))(
    'is asked again, for %s, of what was %s',
    async (raised, _, answer, fact, status) => {
      const payout = await sent(answer);
      await RAISED[raised]?.(payout);
      world.rail.knows.set(payout.railKey, NO_ANSWER);
      for (let times = 0; times < 3; times += 1) await world.work('payout.look', payout.id);
      expect(await jobs(payout, 'payout.look')).toHaveLength(1);
      world.rail.knows.set(payout.railKey, fact);
      await world.work('payout.look', payout.id);
      expect(await world.status(payout.id)).toBe(status);
      expect(await openDrift(payout)).toHaveLength(status === 'failed' ? 1 : 0);
      expect(await jobs(payout, 'payout.look')).toEqual([]);
    },
  );

  test('about what is under way is asked by the job that sees to it', async () => {
    const payout = await sent();
    await world.get(PayoutJobs).look(payout);
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    await world.work('payout.look', payout.id);
    expect(await jobs(payout, 'payout.look')).toEqual([]);
    expect(await jobs(payout, 'payout.drive')).toHaveLength(1);
  });

  test('about what it lists is asked again, and so is what was left because of it', async () => {
    const payouts = await Promise.all(Array.from({ length: 10 }, () => sent(refused())));
    for (const { railKey } of payouts) world.rail.knows.set(railKey, NO_ANSWER);
    world.rail.moved = payouts.map(({ railKey, amountCents }) => ({
      ...{ railKey, amountCents, providerRef: railKey, currency: 'USD', movedAt: systemClock.now() },
    }));
    await compare(world);
    for (const payout of payouts) {
      world.rail.knows.set(payout.railKey, settled(payout.railKey));
      await world.work('payout.look', payout.id);
      expect(await world.status(payout.id)).toBe('paid');
    }
    await compare(world);
    expect(await Promise.all(payouts.map(openDrift))).toEqual(payouts.map(() => []));
  });

  describe('at the second look', () => {
    test('is asked again also when the last look was due', async () => {
      const payout = await sent(refused());
      await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '2 days' WHERE id = $1`, [payout.id]);
      await world.age(payout.id, 2 * 86_400);
      world.rail.knows.set(payout.railKey, NO_ANSWER);
      expect(await world.lookOnceMore(payout.id)).toMatchObject({ againInSeconds: expect.any(Number) as number });
      world.rail.knows.delete(payout.railKey);
      expect(await world.lookOnceMore(payout.id)).toBeUndefined();
    });

    test('is not forgotten where the payout was just tried again', async () => {
      const payout = await sent(refused());
      world.rail.knows.set(payout.railKey, refused());
      await world.get(RemedyPayout).retry(payout, 'client');
      const asked = world.rail.asked.length;
      await world.work('payout.second_look', payout.id);
      expect(world.rail.asked).toHaveLength(asked);
      expect(await jobs(payout, 'payout.second_look')).toHaveLength(1);
    });
  });

  describe('of what came back', () => {
    test.each([
      ['settled', settled],
      ['accepted', accepted],
    ])('and has gone out again since, is named, whatever its reference: %s', async (_, fact) => {
      for (const ref of ['one', 'two']) {
        const payout = await sent(settled('one'));
        world.rail.knows.set(payout.railKey, BOUNCED);
        const before = await world.payout(payout.id);
        await world.get(AskRail).lookUp(before);
        expect(await world.status(payout.id)).toBe('returned');
        // Asked before it came back, and heard after.
        await world.get(AskRail).apply(before, settled('one'));
        expect(await openDrift(payout)).toEqual([]);
        world.rail.knows.set(payout.railKey, fact(ref));
        await world.get(PayoutJobs).look(payout);
        await world.work('payout.look', payout.id);
        expect(await openDrift(payout)).toMatchObject([{ kind: 'amount_differs', providerRef: ref, railCents: 2_000 }]);
      }
    });
  });

  describe('of what it lists, and has not taken on as far as it tells', () => {
    const listed = async (minutes: number, answer = NO_ANSWER as ReturnType<typeof accepted>): Promise<Payout> => {
      const payout = await sent(answer);
      const { railKey, amountCents } = payout;
      const movedAt = systemClock.now();
      world.rail.moved = [{ railKey, amountCents, providerRef: 'one', currency: 'USD', movedAt }];
      world.rail.knows.set(railKey, NO_ANSWER);
      await compare(world);
      expect(await openDrift(payout)).toEqual([]);
      await world.db.execute(
        `UPDATE rail_movements SET listed_at = listed_at - $2::float8 * interval '1 minute' WHERE rail_key = $1`,
        [railKey, minutes],
      );
      return payout;
    };

    test.each(['still lists', 'lists no longer'])('is named after some minutes: it %s it', async (how) => {
      const payout = await listed(6);
      if (how === 'lists no longer') world.rail.moved = [];
      await compare(world);
      expect(await openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', ourStatus: 'submitted' }]);
      await compare(world);
      expect(await openDrift(payout)).toHaveLength(1);
      // Once it tells of it, nobody differs.
      world.rail.knows.set(payout.railKey, settled('one'));
      await world.get(AskRail).lookUp(await world.payout(payout.id));
      await compare(world);
      expect(await openDrift(payout)).toEqual([]);
    });

    test('has some minutes', async () => {
      const payout = await listed(4);
      await compare(world);
      expect(await openDrift(payout)).toEqual([]);
    });

    test('and has taken on under that reference, waits', async () => {
      const payout = await listed(6, accepted('one'));
      await compare(world);
      expect(await openDrift(payout)).toEqual([]);
    });
  });
});
