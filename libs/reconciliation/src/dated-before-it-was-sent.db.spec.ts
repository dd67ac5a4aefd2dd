/** A provider's clock may be behind ours: what it dated a moment before we say we sent it is in its list all the same. */
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('the oldest payment of a comparison', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('is not named as not moved there for a rail that dated it ten milliseconds earlier than we did', async () => {
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => settled('one');
    const { id } = await world.pay(client, payee);
    const { railKey, amountCents, status } = await world.payout(id);
    expect(status).toBe('paid');
    const scannedUntil = `now() - interval '10 minutes 30 seconds'`;
    // Sent just before the beginning of the next comparison, and paid just after it.
    await world.db.execute(
      `UPDATE payouts SET submitted_at = ${scannedUntil} - interval '10 minutes 20 milliseconds',
         created_at = ${scannedUntil} - interval '10 minutes 20 milliseconds',
         updated_at = ${scannedUntil} - interval '9 minutes 50 seconds' WHERE id = $1`,
      [id],
    );
    await world.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until) SELECT DISTINCT provider, ${scannedUntil} FROM payouts WHERE provider IS NOT NULL ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until`,
    );
    const { submittedAt } = await world.payout(id);
    const movedAt = new Date((submittedAt as Date).getTime() - 10);
    world.rail.moved = [{ railKey, amountCents, currency: 'USD', providerRef: 'one', movedAt }];
    await compare(world);
    const named = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(named.filter(({ payoutId }) => payoutId === id).map(({ kind }) => kind)).toEqual([]);
  });
});
