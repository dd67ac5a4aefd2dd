/**
 * A database restored an hour back: a payout of the caller's was paid meanwhile over another rail, is asked for again, and waits until that
 * one's list was compared with. Its caller cancels it, hears that nothing of it left, and pays by other means.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { CancelPayout } from '#libs/payouts';
import { type MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { startOwedWorld } from '../testing/src';

describe('a payout that waits for what other rails list, and is cancelled', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
    await compare(world);
  });
  afterAll(() => world.stop());

  const payout = async (): Promise<Payout> => world.pay(client, await world.payee(client, { country: 'DE' }));

  test('is not said to have never left before they were compared with', async () => {
    await world.db.execute(
      `UPDATE rail_scans SET restored_at = now(), scanned_until = CASE rail WHEN 'custodial_a' THEN now() - interval '11 minutes' ELSE now() END`,
    );
    const waiting = await payout();
    await world.drive(waiting.id);
    expect(await world.status(waiting.id)).toBe('authorized');
    const cancelled = world.get(CancelPayout).run(await world.payout(waiting.id));
    await expect(cancelled).rejects.toMatchObject({ code: 'payout_not_cancellable' });
  });

  test('is cancelled as ever once they were', async () => {
    await compare(world);
    const waiting = await payout();
    expect(await world.get(CancelPayout).run(waiting)).toMatchObject({ status: 'failed' });
  });
});
