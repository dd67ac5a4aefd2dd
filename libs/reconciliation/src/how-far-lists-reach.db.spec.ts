/**
 * Comparisons are made each minute, and banks take days: a payout that was listed as its money left, and is paid now, makes no list days long. One that
 * was never listed does, as it may have moved at any time since it was sent (1, 8; ADR 72).
 */
import { randomUUID } from 'node:crypto';
import { type Drift, DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { RailCaller } from '#libs/rail-registry';
import { anHourPasses, compare, startReconciledWorld } from '../testing/src';

describe('a payout that was sent long before it was paid', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  beforeEach(() => world.rail.reset());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const sent = async (providerRef: string): Promise<Payout> => {
    const client = await world.client();
    world.rail.answers = () => accepted(providerRef);
    const { id } = await world.pay(client, await world.payee(client, { country: 'ES' }));
    await world.drive(id);
    return world.payout(id);
  };
  const isListed = ({ railKey, amountCents, submittedAt }: Payout, providerRef: string): void => {
    world.rail.moved = [{ railKey, amountCents, currency: 'USD', providerRef, movedAt: submittedAt as Date }];
  };
  /** An hour later, and some minutes before the next comparison. */
  const paid = async ({ id, railKey }: Payout, providerRef: string): Promise<Payout> => {
    await anHourPasses(world, id);
    world.rail.knows.set(railKey, settled(providerRef));
    await world.drive(id);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '6 minutes' WHERE id = $1`, [id]);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '7 minutes'`);
    const payout = await world.payout(id);
    for (const one of world.rail.moved) one.movedAt = payout.submittedAt as Date;
    return payout;
  };
  /** Whether the comparison asks for what moved at that time too. */
  const asksForThen = async ({ provider, submittedAt }: Payout): Promise<boolean> => {
    const asked = jest.spyOn(world.get(RailCaller), 'movements');
    await compare(world);
    const since = asked.mock.calls.filter(([rail]) => rail === provider).map(([, from]) => from.getTime());
    expect(since).not.toEqual([]);
    return Math.min(...since) < (submittedAt as Date).getTime();
  };
  const open = async ({ id }: Payout): Promise<Drift[]> =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter(({ payoutId }) => payoutId === id);

  test('is not looked for in the list of then if that had it', async () => {
    const reference = randomUUID();
    const first = await sent(reference);
    isListed(first, reference);
    await compare(world);
    const payout = await paid(first, reference);
    expect([payout.status, await asksForThen(payout)]).toEqual(['paid', false]);
    expect(await open(payout)).toEqual([]);
  });

  test('is looked for there if it was never listed', async () => {
    const reference = randomUUID();
    const payout = await paid(await sent(reference), reference);
    isListed(payout, reference);
    expect(await asksForThen(payout)).toBe(true);
    expect(await open(payout)).toEqual([]);
  });

  test('is looked for there, and named, if only another payment under its code was listed', async () => {
    const first = await sent(randomUUID());
    isListed(first, randomUUID());
    await compare(world);
    const payout = await paid(first, randomUUID());
    expect(await asksForThen(payout)).toBe(true);
    expect(await open(payout)).toHaveLength(1);
  });

  test('is named if no list has it', async () => {
    const reference = randomUUID();
    const payout = await paid(await sent(reference), reference);
    expect(await asksForThen(payout)).toBe(true);
    expect(await open(payout)).toMatchObject([{ kind: 'not_moved_there' }]);
  });
});
