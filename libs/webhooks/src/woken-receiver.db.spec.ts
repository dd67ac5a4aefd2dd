/** A receiver that is left alone, and what makes it be tried before its rest is over. */
import { newId } from '#libs/domain';
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';
import { REST_AFTER_FAILURES } from './schedule';
import { ReplayEvents } from './use-cases/replay-events';
import { WakeReceiver } from './use-cases/wake-receiver';

describe('a receiver that rests', () => {
  const receiver = new Receiver();
  let world: World;
  setUpWorld(receiver, (started) => (world = started));

  const announce = (entityId: string) => world.announce(entityId);
  const wake = (clientId: string) => world.module.get(WakeReceiver).byHand(clientId);

  async function resting(): Promise<{ client: { id: string }; payout: string }> {
    receiver.behave((response) => void response.writeHead(500).end('no'));
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, REST_AFTER_FAILURES + 2);
    expect((await announce(payout))?.againInSeconds).toBeGreaterThan(55);
    return { client, payout };
  }

  it('is tried at once when somebody says so, by one attempt as long as it fails, and rests no longer for it', async () => {
    const { client, payout } = await resting();
    expect(await wake(client.id)).toBe(true);
    await announce(payout);
    expect(receiver.received).toHaveLength(REST_AFTER_FAILURES + 1);
    expect(await world.receiverOf(client.id)).toMatchObject({ rests: 1 });
    receiver.reset();
    expect(await wake(client.id)).toBe(true);
    expect(await world.jobDueIn('events.announce', payout)).toBeLessThanOrEqual(0);
    expect(await announce(payout)).toBeUndefined();
    expect(await world.receiverOf(client.id)).toBeNull();
    expect(await wake(client.id)).toBe(false);
  });

  it('is tried at once by an event that is replayed', async () => {
    const { client, payout } = await resting();
    receiver.reset();
    const [event] = await world.eventsOf(payout);
    await world.module.get(ReplayEvents).one(event?.id ?? '');
    expect(await announce(payout)).toBeUndefined();
    expect(await world.receiverOf(client.id)).toBeNull();
    expect(receiver.received[0]?.headers['webhook-id']).toBe(event?.id);
  });

  it('is that of a client, and of nobody else', async () => {
    await expect(wake(newId())).rejects.toMatchObject({ code: 'client_not_found' });
  });
});
