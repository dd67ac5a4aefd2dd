/**
 * A client without a webhook URL set one at another process, whose signal a worker has not heard of yet: the first event that is made with
 * it is not given up for want of a URL.
 */
import { ClientRegistry } from '#libs/clients';
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';

describe('an event of a client whose webhook URL is new', () => {
  const receiver = new Receiver();
  let world: World;
  setUpWorld(receiver, (started) => (world = started));

  it('is delivered, or tried again', async () => {
    const client = await world.client(null);
    await world.module.get(ClientRegistry).byId(client.id); // as for any job of it
    await world.db.execute('UPDATE clients SET webhook_url = $2 WHERE id = $1', [client.id, receiver.url]);
    const payout = await world.events(client.id, 1);
    await world.announce(payout);
    expect((await world.eventOf(payout)).status).not.toBe('failed');
  });
});
