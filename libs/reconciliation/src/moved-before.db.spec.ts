/** Money that moved for a payout that a restored database has forgotten: asked for again, it waits for a person. */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { SelfReleaseJobs } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';
import { ResolveDrift } from './use-cases/resolve-drift';

describe('a payout whose money moved before its database was restored', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());

  /** The rail lists what moved for a payout that only another database knew. */
  const forgotten = async (key: string, country = 'DE') => {
    const client = await world.client();
    const payee = await world.payee(client, { country });
    world.rail.answers = () => settled('before');
    const known = await world.pay(client, payee, 1_000, key);
    await world.db.execute(
      `UPDATE payouts SET rail_key = 'other-' || id, idempotency_key = 'other-' || id WHERE id = $1`,
      [known.id],
    );
    if (country === 'DE') await world.drive(known.id);
    const { railKey } = known;
    world.rail.moved = [
      { railKey, providerRef: 'one', amountCents: 1_000, currency: 'USD', movedAt: systemClock.now() },
    ];
    await compare(world);
    world.rail.calls.length = 0;
    return { railKey, again: () => world.pay(client, payee, 1_000, key) };
  };
  const resolved = async (railKey: string): Promise<void> => {
    for (const { id, ...drift } of await world.get(DriftReads).list({ open: true }, null, 100))
      if (drift.railKey === railKey) {
        expect(drift.kind).toBe('unknown_here');
        await world.get(ResolveDrift).run(id, { by: 'ada', note: 'from before the restore' });
      }
  };
  const isSent = (railKey: string): boolean => world.rail.calls.some(({ order }) => order.railKey === railKey);

  test('is not sent, though an operator closed the difference', async () => {
    const { railKey, again } = await forgotten('salary');
    await resolved(railKey);
    const payout = await again();
    expect(payout.railKey).toBe(railKey);
    expect(isSent(railKey)).toBe(false);
    expect(await world.payout(payout.id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringMatching(/^route_blocked: a rail says/) as string,
    });
  });

  test('is not sent by its request either, on a rail that settles at once', async () => {
    const { railKey, again } = await forgotten('at once', 'ES');
    expect(await again()).toMatchObject({ railKey, status: 'held', submittedAt: null });
    expect(isSent(railKey)).toBe(false);
  });

  test('does not go on by itself once the difference is closed', async () => {
    const { railKey, again } = await forgotten('bonus');
    const { id } = await again();
    expect(await world.status(id)).toBe('held');
    await resolved(railKey);
    await world.get(SelfReleaseJobs).sweep();
    expect(await world.status(id)).toBe('held');
    expect(isSent(railKey)).toBe(false);
  });
});
