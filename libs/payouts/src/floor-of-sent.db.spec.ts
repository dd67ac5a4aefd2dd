/** What goes on by itself once its cause is gone is asked for by nobody: its floor counts (ADR 58), also for a payout that was sent before. */
import { type Client, KeepClients } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { ReleaseCleared } from './use-cases/release-cleared';
import { ReleaseHeld } from './use-cases/release-held';

const ASKED_BEFORE = `
  INSERT INTO jobs (name, entity_id, lane, created_at)
  VALUES ('payout.retry', $1, 'custodial_a', (SELECT updated_at FROM payouts WHERE id = $1) - interval '1 second')`;

describe('a payout that was sent and held, and is below its floor by now', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const sentAndHeld = async (): Promise<Payout> => {
    client = await world.client({ autoRelease: ['not_payable'] });
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.says({ first: refused('account') });
    await world.drive(id);
    const payout = await world.payout(id);
    world.rail.knows.set(payout.railKey, refused('account'));
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - interval '1 hour', submitted_at = submitted_at - interval '1 hour' WHERE id = $1`,
      [id],
    );
    return payout;
  };

  test('does not go on by itself, until its floor is reached', async () => {
    const { id, status } = await sentAndHeld();
    expect(status).toBe('held');
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { floors: { custodial_a: 5_000 } }));
    const found = await world.get(ReleaseCleared).run();
    if (found > 0) await world.work('payout.retry', id);
    expect(await world.payout(id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('below_min'),
    });
    // The job runs once more, as when its process ended right behind its commit, or it was asked for while it was under way.
    await world.db.execute(ASKED_BEFORE, [id]);
    await world.work('payout.retry', id);
    expect(await world.status(id)).toBe('held');
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { floors: { custodial_a: 100 } }));
    await world.get(ReleaseHeld).accrued();
    await world.work('payout.retry', id);
    expect(await world.status(id)).not.toBe('held');
  });
});
