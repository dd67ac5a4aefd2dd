/** A client is active again: what its rail had no funds for, and was passed over meanwhile, is tried again now, as what waits to be sent is. */
import { KeepClients } from '#libs/clients';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

describe('what a rail had no funds for, of a client that was suspended and is active again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('is tried again soon', async () => {
    const client = await world.client();
    const becomes = (status: 'active' | 'suspended') =>
      world.db.inTransaction(() => world.get(KeepClients).change(client.id, { status }));
    world.rail.answers = () => refused('funding');
    const { id } = await world.pay(client, await world.payee(client, { country: 'DE' }));
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    await becomes('suspended');
    await world.work('payout.retry', id);
    await becomes('active');
    await world.work('payouts.resume', client.id);
    const next = await world.db.row<{ seconds: number }>(
      `SELECT extract(epoch FROM run_at - now())::int AS seconds FROM jobs WHERE name = 'payout.retry' AND entity_id = $1`,
      [id],
    );
    expect(next?.seconds).toBeLessThan(600);
  });
});
