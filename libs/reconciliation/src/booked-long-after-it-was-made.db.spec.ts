/**
 * Adyen lists a transfer by when it was made, and only once it is booked, which may be hours later, even after it was said to have failed. Lists reach
 * back as long as banks take, so they have it (1; ADR 72).
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { type Drift, DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { RailMovement } from '#libs/rail-kit';
import { anHourPasses, compare, startReconciledWorld } from '../testing/src';

describe('a transfer that was booked long after it was made', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  beforeEach(() => world.rail.reset());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const made = async (answer: ReturnType<typeof accepted> | ReturnType<typeof refused>): Promise<Payout> => {
    const client = await world.client();
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, await world.payee(client, { country: 'ES' }));
    if ((await world.status(id)) !== 'failed') await world.drive(id);
    return world.payout(id);
  };
  const line = (
    { provider, railKey, amountCents, submittedAt }: Payout,
    ref: string,
    more = {},
  ): RailMovement & { rail: string } => ({
    ...{ rail: provider as string, railKey, amountCents, currency: 'USD' },
    ...{ providerRef: ref, movedAt: submittedAt as Date, ...more },
  });
  /** All payouts, and comparisons, were an hour ago. */
  const hourPasses = async (...payouts: Payout[]): Promise<void> => {
    for (const { id } of payouts) await anHourPasses(world, id);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 hour'`);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 minute'`);
  };
  const paid = async ({ id, railKey }: Payout, ref: string, minutesAgo = 0): Promise<Payout> => {
    world.rail.knows.set(railKey, settled(ref));
    await world.drive(id);
    expect(await world.status(id)).toBe('paid');
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 minute' WHERE id = $1`,
      [id, minutesAgo],
    );
    return world.payout(id);
  };
  const open = async ({ railKey }: Payout): Promise<Drift[]> =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter((one) => one.railKey === railKey);

  test('is named, if it is the other one of a payout that was listed as it was sent, and is paid now', async () => {
    const ref = randomUUID();
    const first = await made(accepted(ref));
    world.rail.moved = [line(first, ref)];
    await compare(world);
    await hourPasses(first);
    const payout = await paid(first, ref);
    world.rail.moved = [line(payout, ref), line(payout, randomUUID())];
    await compare(world);
    expect(await open(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 2 * payout.amountCents }]);
  });

  test('is named, if its payout failed for good, and others that were sent before are paid day by day', async () => {
    const ref = randomUUID();
    const other = await made(accepted(ref));
    const failed = await made(refused());
    expect(failed.status).toBe('failed');
    world.rail.moved = [line(other, ref)];
    await compare(world);
    await hourPasses(other, failed);
    const [one, two] = [await paid(other, ref), await world.payout(failed.id)];
    world.rail.moved = [line(one, ref), line(two, randomUUID())];
    await compare(world);
    expect(await open(two)).toMatchObject([{ hasMoved: true }]);
  });

  test('closes the line about its payout, though others alone are paid meanwhile', async () => {
    const [ref, otherRef] = [randomUUID(), randomUUID()];
    const other = await made(accepted(otherRef));
    const first = await made(accepted(ref));
    world.rail.moved = [line(other, otherRef)];
    await compare(world);
    await hourPasses(other, first);
    const missing = await paid(first, ref, 6);
    world.rail.moved = [];
    await compare(world);
    expect(await open(missing)).toMatchObject([{ kind: 'not_moved_there' }]);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '30 minutes' WHERE id = $1`, [
      missing.id,
    ]);
    const late = await paid(other, otherRef);
    world.rail.moved = [line(late, otherRef), line(missing, ref)];
    await compare(world);
    expect(await open(missing)).toEqual([]);
  });

  test('is not called missing as it comes back', async () => {
    const ref = randomUUID();
    const first = await made(accepted(ref));
    await hourPasses(first);
    const sent = await paid(first, ref, 6);
    world.rail.moved = [line(sent, ref), line(sent, ref, { direction: 'back', movedAt: systemClock.now() })];
    world.rail.knows.set(sent.railKey, { kind: 'bounced', feeCents: 0, providerRef: ref } as never);
    await compare(world);
    expect((await open(sent)).filter(({ kind }) => kind === 'not_moved_there')).toEqual([]);
  });

  test('closes the line about a failed payout, once its money came back and that was booked late', async () => {
    const [ref, otherRef] = [randomUUID(), randomUUID()];
    const other = await made(accepted(otherRef));
    const failed = await made(refused());
    world.rail.knows.set(failed.railKey, refused() as never);
    world.rail.moved = [line(other, otherRef), line(failed, ref)];
    await compare(world);
    expect(await open(failed)).toMatchObject([{ hasMoved: true }]);
    await hourPasses(other, failed);
    const [one, two] = [await paid(other, otherRef), await world.payout(failed.id)];
    const back = line(two, ref, { direction: 'back', movedAt: new Date(systemClock.now().getTime() - 40 * 60_000) });
    world.rail.moved = [line(one, otherRef), line(two, ref), back];
    // The first one asks, the next one closes (ADR 72).
    await compare(world);
    await compare(world);
    expect(await open(two)).toEqual([]);
  });
});
