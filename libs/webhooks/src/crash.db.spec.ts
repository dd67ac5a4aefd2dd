/** A process that dies before, during or after an attempt: the event arrives all the same, under the same id. */
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';
import { DeliveryReads, type DueEvent } from './db/delivery.reads';
import { EventReads } from './db/event.reads';
import type { Delivery } from './delivery';
import { Egress } from './egress';
import { PrepareDelivery } from './use-cases/prepare-delivery';

describe('a process that dies', () => {
  jest.setTimeout(30_000);
  const receiver = new Receiver();
  let world: World;
  setUpWorld(receiver, (started) => (world = started));

  const get = <T>(type: new (...parts: never[]) => T): T => world.module.get(type);
  const send = async (event: DueEvent) => get(Egress).post((await get(PrepareDelivery).run(event)) as Delivery);

  /** What the process had done when it died: it held the job, and perhaps had sent, and had written nothing. */
  const DEATHS: [string, number, (event: DueEvent) => Promise<unknown>][] = [
    ['before it sends', 0, () => Promise.resolve()],
    ['while it waits for the answer', 1, (event) => send(event)],
    ['after it was acknowledged, and before that is written down', 1, (event) => send(event)],
  ];

  describe.each(DEATHS)('%s', (when, sentBefore, die) => {
    const answers = when.startsWith('after');

    it('leaves the first attempt to another', async () => {
      if (!answers) receiver.behave(() => undefined);
      const client = await world.client(receiver.url);
      const payout = await world.events(client.id, 2);
      await world.takeJob('events.announce', payout);
      const [first] = await get(DeliveryReads).firstOf([payout]);
      if (!first) throw new Error('nothing to attempt');
      await die(first);
      receiver.behave((response) => void response.end());

      expect(await world.announce(payout)).toBeUndefined();
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(ids.slice(0, -1)).toEqual(Array.from({ length: sentBefore + 1 }, () => first.id));
      expect(await world.eventsOf(payout)).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    });

    it('leaves a later attempt to another, and counts only what was written down', async () => {
      receiver.behave((response) => void response.writeHead(500).end());
      const client = await world.client(receiver.url);
      const payout = await world.events(client.id, 1);
      await world.announce(payout);
      const { id } = await world.eventOf(payout);
      await world.pass(id, 67);
      await world.takeJob('event.retry', id);
      const due = (await get(DeliveryReads).again(id)) as DueEvent;
      receiver.behave((response) => answers && void response.end());
      await die(due);
      receiver.behave((response) => void response.end());
      expect(await world.retry(id)).toBeUndefined();
      expect(receiver.received.every(({ headers }) => headers['webhook-id'] === id)).toBe(true);
      expect(receiver.received).toHaveLength(2 + sentBefore);
      expect(await world.eventOf(payout)).toMatchObject({ status: 'delivered', attempts: 2 });
      expect(await get(EventReads).attemptsOf(id)).toHaveLength(2);
    });
  });
});
