/** Events on their first way out: in order, signed, and never lost to a crash. */
import { Webhook } from 'standardwebhooks';
import { parseSignature, sameBytes, signV1, systemClock, unixSeconds } from '#libs/domain';
import { type AttemptRecord, EventBook } from '#libs/events';
import { Receiver } from '../testing/receiver';
import { setUpWorld } from '../testing/set-up-world';
import type { World } from '../testing/world';
import { DeliveryReads, type HeldEvent } from './db/delivery.reads';
import { REST_AFTER_FAILURES } from './schedule';
import { RecordAttempt } from './use-cases/record-attempt';
import { ReplayEvents } from './use-cases/replay-events';

const ONE_MORE = `
  INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
  SELECT gen_random_uuid(), client_id, type, entity_id, sequence + 1, payload, status FROM events WHERE entity_id = $1`;

describe('first attempts', () => {
  jest.setTimeout(30_000);
  const receiver = new Receiver();
  let world: World;
  const announce = (entityId: string) => world.announce(entityId);
  const sequences = () => receiver.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);

  setUpWorld(receiver, (started) => (world = started));

  it('sends all events of a payout in the order of their sequence', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 5);
    const looking = jest.spyOn(world.module.get(DeliveryReads), 'firstOf');
    expect(await announce(payout)).toBeUndefined();
    expect(sequences()).toEqual([1, 2, 3, 4, 5]);
    expect(looking).toHaveBeenCalledTimes(2); // four are read at once, and the last one is known for the last
    looking.mockRestore();
    for (const event of await world.eventsOf(payout))
      expect(event).toMatchObject({
        status: 'delivered',
        attempts: 1,
        lastStatusCode: 204,
        lastError: null,
        nextAttemptAt: null,
      });
    expect(await announce(payout)).toBeUndefined();
    expect(receiver.received).toHaveLength(5);
  });

  it('goes on with an event that came while the last one was sent', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 1);
    receiver.behave(async (response, _, nth) => {
      if (nth === 1) await world.db.execute(ONE_MORE, [payout]);
      response.end();
    });
    expect(await announce(payout)).toBeUndefined();
    expect((await world.eventsOf(payout)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  it('gives others of its client their turn after a hundred events, and goes on with the rest', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 102);
    expect(await announce(payout)).toEqual({ againInSeconds: 0 });
    expect(receiver.received).toHaveLength(100);
    expect(await announce(payout)).toBeUndefined();
    expect(sequences()).toEqual(Array.from({ length: 102 }, (_, place) => place + 1));
  });

  it('signs the exact bytes, in both ways, and names the event', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 1);
    await announce(payout);
    const { id } = await world.eventOf(payout);
    const [got] = receiver.received;
    const headers = got?.headers as Record<string, string>;
    const body = got?.body ?? '';

    const given = parseSignature(headers['x-gw-signature']) ?? Buffer.alloc(0);
    expect(sameBytes(given, signV1(client.secret, headers['x-gw-timestamp'] ?? '', body))).toBe(true);
    expect(Math.abs(Number(headers['x-gw-timestamp']) - unixSeconds(systemClock))).toBeLessThan(5);
    expect(new Webhook(client.secret).verify(body, headers)).toMatchObject({ eventId: id, transactionId: payout });
    expect(headers).toMatchObject({ 'x-gw-event-id': id, 'x-gw-event-type': 'payout.status', 'webhook-id': id });
    expect(headers['content-type']).toBe('application/json');
    const stored = await world.db.row<{ text: string }>('SELECT payload::text AS text FROM events WHERE id = $1', [id]);
    expect(body).toBe(stored?.text);
  });

  it('signs with the newest secret', async () => {
    const client = await world.client(receiver.url);
    const newest = await world.newSecret(client.id);
    await announce(await world.events(client.id, 1));
    const [got] = receiver.received;
    expect(() => new Webhook(newest).verify(got?.body ?? '', got?.headers as Record<string, string>)).not.toThrow();
  });

  it('does not hold back later events when one fails, and has it tried again in a minute', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 3);
    receiver.behave((response, _, nth) => void response.writeHead(nth === 1 ? 500 : 200).end());
    expect(await announce(payout)).toBeUndefined();
    expect(sequences()).toEqual([1, 2, 3]);
    const [first, second, third] = await world.eventsOf(payout);
    expect(first).toMatchObject({ status: 'pending', attempts: 1, lastStatusCode: 500, lastError: 'answered 500' });
    expect([second?.status, third?.status]).toEqual(['delivered', 'delivered']);
    const due = (await world.jobDueIn('event.retry', first?.id ?? '')) ?? 0;
    expect([due > 55, due <= 66]).toEqual([true, true]);
    expect(await world.jobDueIn('event.retry', second?.id ?? '')).toBeNull();
  });

  it('looks again after one that failed: others may have put the receiver to rest since', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 4);
    const others = await Promise.all(Array.from({ length: REST_AFTER_FAILURES }, () => world.events(client.id, 1)));
    let waiting: (() => void)[] = [];
    receiver.behave((response, _, nth) => {
      response.writeHead(nth === 1 ? 200 : 503);
      if (nth === 2) waiting = [() => void response.end()];
      else response.end();
    });
    const first = announce(payout);
    await receiver.got(2);
    for (const other of others) await announce(other);
    for (const answer of waiting) answer();
    expect((await first)?.againInSeconds).toBeGreaterThan(55);
    expect(receiver.received).toHaveLength(2 + REST_AFTER_FAILURES);
  });

  it('gives up waiting at the deadline', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 1);
    receiver.behave(() => undefined);
    await announce(payout);
    const silent = { status: 'pending', attempts: 1, lastStatusCode: null, lastError: 'no answer within 1 s' };
    expect(await world.eventOf(payout)).toMatchObject(silent);
  });

  it('never sends what nobody subscribed to', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 2, false);
    expect(await world.jobDueIn('events.announce', payout)).toBeNull();
    expect(await announce(payout)).toBeUndefined();
    expect(receiver.received).toHaveLength(0);
    expect((await world.eventOf(payout)).status).toBe('skipped');
  });

  it.each([
    ['has no webhook URL', 'webhook_url = NULL', 'The client has no webhook URL. Set one, then replay the event.'],
    ['is closed', "status = 'closed'", 'The client is closed.'],
    ['has a broken URL', "webhook_url = 'nowhere'", expect.stringContaining('must be an absolute URL')],
  ])('fails at once when the client %s', async (_, assignments, lastError: unknown) => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 2);
    await world.change(client.id, assignments);
    expect(await announce(payout)).toBeUndefined();
    for (const event of await world.eventsOf(payout))
      expect(event).toMatchObject({ status: 'failed', attempts: 0, lastError });
    expect(receiver.received).toHaveLength(0);
  });

  it('still tells a suspended client', async () => {
    const client = await world.client(receiver.url);
    await world.change(client.id, "status = 'suspended'");
    const payout = await world.events(client.id, 1);
    await announce(payout);
    expect((await world.eventOf(payout)).status).toBe('delivered');
  });

  it('refuses to send inside a transaction', async () => {
    const client = await world.client(receiver.url);
    const payout = await world.events(client.id, 1);
    await expect(world.db.inTransaction(() => announce(payout))).rejects.toThrow('inside a database transaction');
    expect(receiver.received).toHaveLength(0);
  });

  describe('after a crash during an attempt', () => {
    const underWay = async (payout: string): Promise<HeldEvent> => {
      const job = await world.takeJob('events.announce', payout);
      const [event] = await world.module.get(DeliveryReads).firstOf([payout]);
      if (!event) throw new Error('nothing to attempt');
      return { ...event, job };
    };
    const underWayAgain = async (id: string): Promise<HeldEvent> => {
      const job = await world.takeJob('event.retry', id);
      const event = await world.module.get(DeliveryReads).again(id);
      if (!event) throw new Error('nothing to attempt');
      return { ...event, job };
    };
    const failed = () => {
      const none = { excerpt: null, statusCode: 500 };
      const outcome = { ...none, kind: 'failed', reason: 'not_2xx', error: 'answered 500' } as const;
      const delivery = { url: receiver.url, host: 'late.example', headers: {}, body: '' };
      return { delivery, outcome, startedAt: systemClock.now(), durationMs: 1 };
    };
    const DELIVERED: AttemptRecord = {
      ...{ status: 'delivered', attempts: 1, statusCode: 204, error: null, againInSeconds: null },
      attempt: {
        startedAt: systemClock.now(),
        durationMs: 1,
        host: 'some.example',
        statusCode: 204,
        error: null,
        excerpt: null,
      },
    };

    it('does not let the one that was thought dead have a say', async () => {
      const client = await world.client(receiver.url);
      const payout = await world.events(client.id, 1);
      const stalled = await underWay(payout);
      await announce(payout);
      const progress = await world.module.get(RecordAttempt).made(stalled, failed(), false);
      expect(progress).toEqual({ againInSeconds: null, goesOn: false });
      expect(await world.eventOf(payout)).toMatchObject({ status: 'delivered', attempts: 1 });
      expect(await world.jobDueIn('event.retry', stalled.id)).toBeNull();
    });

    it('sends nothing more once the job is somebody else’s', async () => {
      const client = await world.client(receiver.url);
      const payout = await world.events(client.id, 3);
      receiver.behave((response, _, nth) => {
        if (nth > 1) return void response.end();
        void world.takeJob('events.announce', payout).then(() => response.end());
      });
      expect(await announce(payout)).toBeUndefined();
      expect(sequences()).toEqual([1]);
      expect(await announce(payout)).toBeUndefined();
      expect(sequences()).toEqual([1, 1, 2, 3]);
    });

    it.each(['was never attempted', 'was attempted before'])(
      'nor about an event that %s and was started over',
      async (when) => {
        const client = await world.client(receiver.url);
        const payout = await world.events(client.id, 1);
        if (when === 'was attempted before') {
          receiver.behave((response) => void response.writeHead(500).end());
          await announce(payout);
          await world.pass((await world.eventOf(payout)).id, 67);
        }
        const { id } = await world.eventOf(payout);
        const stalled = when === 'was attempted before' ? await underWayAgain(id) : await underWay(payout);
        await world.module.get(ReplayEvents).one(id);
        expect(await world.module.get(RecordAttempt).made(stalled, failed(), false)).toMatchObject({
          againInSeconds: null,
        });
        expect(await world.eventOf(payout)).toMatchObject({ status: 'pending', attempts: 0 });
      },
    );

    it('writes many at once, each for itself', async () => {
      const client = await world.client(receiver.url);
      const payouts = await Promise.all(Array.from({ length: 4 }, () => world.events(client.id, 1)));
      const held = await Promise.all(payouts.map(underWay));
      await world.takeJob('events.announce', payouts[2] as string);
      const recorded = await world.module.get(EventBook).record(held.map((event) => ({ event, record: DELIVERED })));
      expect(recorded).toEqual(['last', 'last', 'lost', 'last']);
      const events = await Promise.all(payouts.map((payout) => world.eventOf(payout)));
      expect(events.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'pending', 'delivered']);
    });
  });
});
