/** Money that came back and left once more, of which only the rail's list tells: what is owed instead of it was paid, maybe. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('money that a rail lists as sent out again after it had come back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const line = ({ railKey }: Payout, direction: 'out' | 'back', amountCents: number, providerRef: string) => ({
    ...{ railKey, direction, amountCents, providerRef, currency: 'USD', movedAt: systemClock.now() },
  });
  const open = async ({ id }: Payout) =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);
  /** It was paid, and its bank sent it back. */
  const returned = async (feeCents: number): Promise<Payout> => {
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => settled('one');
    const { id } = await world.pay(client, payee, 6_000);
    const payout = await world.payout(id);
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents });
    world.rail.moved = [line(payout, 'out', 6_000, 'one'), line(payout, 'back', 6_000 - feeCents, 'one')];
    await compare(world);
    expect(await world.status(id)).toBe('returned');
    expect(await open(payout)).toEqual([]);
    return world.payout(id);
  };

  test.each([0, 100])('is a difference, also if the bank kept %i cents', async (feeCents) => {
    const payout = await returned(feeCents);
    world.rail.moved = [...world.rail.moved, line(payout, 'out', 6_000, 'two')];
    await compare(world);
    expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', hasMoved: true }]);
  });

  test('is none if an earlier call was pulled back, and what came back is all of the money', async () => {
    const payout = await returned(100);
    world.rail.moved = [
      ...world.rail.moved,
      line(payout, 'out', 6_000, 'before'),
      line(payout, 'back', 6_000, 'before'),
    ];
    await compare(world);
    expect(await open(payout)).toEqual([]);
  });

  test('is none if all of it came back, and the fee was charged beside it', async () => {
    const payout = await returned(100);
    world.rail.moved = [line(payout, 'out', 6_000, 'one'), line(payout, 'back', 6_000, 'one')];
    await compare(world);
    expect(await open(payout)).toEqual([]);
  });

  describe('of a payout that was paid in legs', () => {
    const inLegs = async (): Promise<Payout> => {
      const payout = await returned(0);
      const leg = { name: 'deliver', round: 0, key: 'key', toSend: false, notBefore: null, attempt: 2, sends: 1 };
      await world.db.execute('UPDATE payouts SET legs = $2 WHERE id = $1', [
        payout.id,
        JSON.stringify([{ ...leg, firstSentAt: systemClock.now(), said: 'bounced', over: true }]),
      ]);
      world.rail.moved = [...world.rail.moved, line(payout, 'out', 6_000, 'two')];
      return payout;
    };
    const listedLongAgo = async ({ id, railKey }: Payout): Promise<void> => {
      const ago = `now() - interval '6 minutes'`;
      await world.db.execute(`UPDATE rail_movements SET listed_at = ${ago} WHERE rail_key = $1`, [railKey]);
      await world.db.execute(`UPDATE payouts SET updated_at = ${ago} WHERE id = $1`, [id]);
    };

    test('may be the call before, whose bounce is not listed yet; if it stays so it is a difference', async () => {
      const payout = await inLegs();
      await compare(world);
      expect(await open(payout)).toEqual([]);
      await listedLongAgo(payout);
      await compare(world);
      expect(await open(payout)).toMatchObject([{ kind: 'amount_differs' }]);
    });

    test('is none once all of it is listed as come back', async () => {
      const payout = await inLegs();
      await compare(world);
      world.rail.moved = [...world.rail.moved, line(payout, 'back', 6_000, 'two')];
      await compare(world);
      await listedLongAgo(payout);
      await compare(world);
      expect(await open(payout)).toEqual([]);
    });
  });
});
