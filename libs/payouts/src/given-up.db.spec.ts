/** An operator gives up what is about to be sent: it is sent by nobody, and what was taken on before stays under way. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { GiveUpPayout } from './use-cases/give-up-payout';

describe('giving up a payout that is authorized', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.rail.calls.length = 0;
    world.rail.answers = () => settled('moved');
  });
  const giveUp = async (id: string) => world.get(GiveUpPayout).run(await world.payout(id), 'not wanted');

  test('ends it, and a worker that has its job already sends nothing', async () => {
    const { id, status } = await world.pay(client, await world.payee(client));
    expect(status).toBe('authorized');
    const job = await world.takeJob(id);
    expect(await giveUp(id)).toMatchObject({
      status: 'failed',
      failureKind: 'permanent',
      statusReason: 'given_up: not wanted',
    });
    await world.drive(id, job);
    expect([await world.status(id), world.rail.calls]).toEqual(['failed', []]);
  });

  test('is refused once somebody took its send on, whatever came of that', async () => {
    const { id } = await world.pay(client, await world.payee(client));
    world.rail.answers = () => ({ kind: 'unknown', detail: 'nobody knows' });
    await world.drive(id);
    await expect(giveUp(id)).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await world.status(id)).toBe('submitted');
  });

  test('and is not called never seen once it was sent, whatever an admin found out before', async () => {
    const { id } = await world.pay(client, await world.payee(client));
    const known = await world.payout(id);
    world.rail.answers = () => refused();
    await world.drive(id);
    const late = world.get(GiveUpPayout).run(known, 'its rail never saw it', true);
    await expect(late).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient', neverSeen: false });
    expect(await world.get(GiveUpPayout).run(await world.payout(id), 'nor now', true)).toMatchObject({
      neverSeen: true,
    });
  });
});
