/** The whole way, with the queue running: from the committed change to the receiver, and to the operator's list. */
import { systemClock } from '#libs/domain';
import { pageOf } from '#libs/http-kit';
import { hastyLimits } from '../testing/hasty-limits';
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';
import { EventReads } from './db/event.reads';
import { deliveryLimits } from './delivery';
import { eventView } from './http/event.view';

const soon = (): Date => new Date(systemClock.now().getTime() + 60_000);

describe('webhooks with the queue', () => {
  jest.setTimeout(30_000);
  const receiver = new Receiver();
  let world: World;

  setUpWorld(receiver, (started) => (world = started), { limits: deliveryLimits, works: true });

  it('delivers as soon as the change is committed, each payout in order', async () => {
    const client = await world.client(receiver.url);
    const payouts = await Promise.all(Array.from({ length: 20 }, () => world.events(client.id, 4)));
    await receiver.got(80);
    for (const payout of payouts) {
      const bodies = receiver.received.map(
        ({ body }) => JSON.parse(body) as { transactionId: string; sequence: number },
      );
      expect(bodies.filter(({ transactionId }) => transactionId === payout).map(({ sequence }) => sequence)).toEqual([
        1, 2, 3, 4,
      ]);
    }
  });

  it('does not let a client that never answers delay another', async () => {
    const { perClient } = hastyLimits;
    const [silent, healthy] = await Promise.all([world.client(receiver.url), world.client(`${receiver.url}/healthy`)]);
    receiver.behave((response, { path }) => path.endsWith('/healthy') && response.end());
    await Promise.all(Array.from({ length: 3 * perClient }, () => world.events(silent.id, 1)));
    await receiver.got(perClient);
    await world.events(healthy.id, 1);
    await receiver.got(perClient + 1);
    expect(receiver.received[perClient]?.path).toBe('/hooks/healthy');
    const givenUp = await world.db.rows('SELECT FROM events WHERE client_id = $1 AND attempts > 0', [silent.id]);
    expect(givenUp).toEqual([]);
    await receiver.stop(); // so that the silent ones end with it, not with their deadline
  });

  it('lists events newest first, page by page, and by what is asked for', async () => {
    const client = await world.client('https://hooks.example.com/');
    await world.db.execute('TRUNCATE events, jobs');
    await world.events(client.id, 3);
    await world.events(client.id, 2, false);
    const store = world.module.get(EventReads);
    const whole = await store.list({ clientId: client.id }, null, 100);
    expect(whole).toHaveLength(5);
    const first = pageOf(await store.list({}, null, 3), 3, eventView);
    const place = whole[2] ?? null;
    const rest = pageOf(await store.list({}, place, 3), 3, eventView);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    expect([first.nextCursor === null, rest.nextCursor]).toEqual([false, null]);
    expect(await store.list({ status: 'skipped', type: 'payout.status' }, null, 10)).toHaveLength(2);
    expect(await store.list({ type: 'payee.updated' }, null, 10)).toHaveLength(0);
    expect(await store.list({ from: soon() }, null, 10)).toHaveLength(0);
    expect(await store.list({ to: soon() }, null, 10)).toHaveLength(5);
    expect(eventView(whole[0] as never)).toMatchObject({
      clientId: client.id,
      payload: { sequence: expect.any(Number) as number },
    });
  });
});
