/**
 * Two workers have the job of one payout that was sent and held, as when the lease of the first one lapsed while its rail was slow: the
 * first holds it for its floor, and the second must not take that for a floor that its group reached.
 */
import { KeepClients } from '#libs/clients';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { RetryPayoutJob } from './jobs/retry-payout.job';
import { ReleaseCleared } from './use-cases/release-cleared';

describe('a payout that was sent and held, whose job two workers have', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('does not go on below its floor', async () => {
    const client = await world.client({ autoRelease: ['not_payable'] });
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.says({ first: refused('account') });
    await world.drive(id);
    const { railKey } = await world.payout(id);
    world.rail.knows.set(railKey, refused('account'));
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - interval '1 hour', submitted_at = submitted_at - interval '1 hour' WHERE id = $1`,
      [id],
    );
    await world.get(ReleaseCleared).run(); // it is to go on, and its rail is asked first
    const [job] = await world.db.rows<{ createdAt: Date }>(
      `SELECT created_at FROM jobs WHERE name = 'payout.retry' AND entity_id = $1`,
      [id],
    );
    if (!job) throw new Error('It has no job.');
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { floors: { custodial_a: 5_000 } }));

    let answers = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answers = resolve));
    world.rail.asked.length = 0;
    const slow = world.get(RetryPayoutJob).retry(id, 1, job);
    await world.rail.lookingUp(railKey);
    world.rail.lookupGate = Promise.resolve();
    await world.get(RetryPayoutJob).retry(id, 2, job); // its lease lapsed
    expect(await world.payout(id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('below_min') as string,
    });
    answers();
    await slow;
    expect(await world.status(id)).toBe('held');
  });
});
