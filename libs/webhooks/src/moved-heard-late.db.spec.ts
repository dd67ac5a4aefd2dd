/**
 * A client moved its webhook to another address at another process, and was answered; a worker has not heard of it yet. What is made and
 * told from then on goes to the new address: what the old one takes is told to nobody else any more.
 */
import { ClientRegistry } from '#libs/clients';
import { Receiver } from '../testing/receiver';
import { HostSlots } from './host-slots';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';

describe('an event of a client whose webhook moved', () => {
  const receiver = new Receiver();
  let world: World;
  setUpWorld(receiver, (started) => (world = started));

  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['of the same host', () => `${receiver.url}/new`, true],
    ['of another host, where it takes its turn', () => `${receiver.url.replace('127.0.0.1', 'localhost')}/new`, false],
    ['that is none', () => null, true],
  ])('is not told to the address that it left while it waited for its turn, for one %s', async (_, to, isOver) => {
    const client = await world.client(`${receiver.url}/old`);
    const slots = world.module.get(HostSlots);
    const take = slots.take.bind(slots);
    jest.spyOn(slots, 'take').mockImplementationOnce(async (...asked) => {
      await world.db.execute('UPDATE clients SET webhook_url = $2 WHERE id = $1', [client.id, to()]);
      const slot = await take(...asked);
      return slot && { ...slot, waited: true };
    });
    const payout = await world.events(client.id, 1);
    await world.announce(payout);
    const { status } = await world.eventOf(payout);
    const paths = receiver.received.map(({ path }) => path);
    const isTold = isOver && to() !== null;
    expect({ status, paths }).toEqual({
      status: isTold ? 'delivered' : isOver ? 'failed' : 'pending',
      paths: isTold ? ['/hooks/new'] : [],
    });
  });

  it('is not told to the address of before alone', async () => {
    const client = await world.client(`${receiver.url}/old`);
    await world.module.get(ClientRegistry).byId(client.id); // as for any job of it
    await world.db.execute('UPDATE clients SET webhook_url = $2 WHERE id = $1', [client.id, `${receiver.url}/new`]);
    const payout = await world.events(client.id, 1);
    await world.announce(payout);
    const { status } = await world.eventOf(payout);
    const paths = receiver.received.map(({ path }) => path);
    expect({ status, paths }).toEqual({ status: 'delivered', paths: ['/hooks/new'] });
  });
});
