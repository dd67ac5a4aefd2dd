/** For how long a rail honours a code: past that, nothing is sent under it that may have moved money. */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a code that its rail has forgotten', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    payee = await world.payee(client);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test('a block in between does not make a code new that its rail has forgotten', async () => {
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    await world.drive(id);
    await world.age(id, 2 * 3600);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
    await world.drive(id);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [payee.id]);
    const held = await world.payout(id);
    expect(held.status).toBe('held');
    const release = () => world.get(RemedyPayout).release(held, 'operator');
    await expect(release()).rejects.toMatchObject({ code: 'payout_not_releasable' });
    world.rail.answers = () => accepted();
    expect(world.rail.calls).toHaveLength(1);
    // A rail that says that it refused it remembers it.
    world.rail.knows.set(held.railKey, refused());
    await release();
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(2);
  });

  test('what is to be sent under a code that its rail has forgotten is held, and somebody has to look', async () => {
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    await world.drive(id);
    await world.age(id, 1_000);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
    await world.drive(id);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [payee.id]);
    const released = await world.get(RemedyPayout).release(await world.payout(id), 'client');
    expect(released.status).toBe('authorized');
    await world.age(id, 2 * 3600); // its client was suspended, or its workers stood still
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(1);
    expect(await world.payout(id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('no longer honours its code') as string,
    });
  });
});
