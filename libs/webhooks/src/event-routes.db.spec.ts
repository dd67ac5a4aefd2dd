/** What callers read and do about their events, and the ping. */
import { Webhook } from 'standardwebhooks';
import { newId } from '#libs/domain';
import { Receiver } from '../testing/receiver';
import { underProxySettings } from '../testing/proxy-settings';
import { setUpWorld } from '../testing/set-up-world';
import { startWorld, type World } from '../testing/world';
import { EventsController } from './http/events.controller';
import { WebhookTestsController } from './http/webhook-tests.controller';

describe('routes about events', () => {
  jest.setTimeout(30_000);
  const receiver = new Receiver();
  let world: World;
  const events = () => world.module.get(EventsController);
  const ping = async (clientId: string) =>
    world.module.get(WebhookTestsController).create(await world.settings(clientId), {});

  setUpWorld(receiver, (started) => (world = started));

  it('list what is asked for, page by page, and nobody else’s', async () => {
    const { id } = await world.client(receiver.url);
    const client = await world.settings(id);
    const payout = await world.events(id, 3);
    await world.events(id, 2, false);
    await world.events((await world.client(receiver.url)).id, 1);
    await world.announce(payout);

    const whole = await events().list(client, {});
    expect(whole.data.map(({ clientId }) => clientId)).toEqual(Array.from({ length: 5 }, () => id));
    expect(whole.nextCursor).toBeNull();
    expect(Object.keys(whole.data[0] ?? {})).toEqual([
      ...['id', 'clientId', 'type', 'status', 'attempts', 'nextAttemptAt', 'lastStatusCode', 'payload', 'createdAt'],
    ]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await events().list(client, { limit: 2, cursor });
      seen.push(...page.data.map((event) => event.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(whole.data.map((event) => event.id));

    const count = async (query: object) => (await events().list(client, query)).data.length;
    expect(await count({ status: 'delivered' })).toBe(3);
    expect(await count({ status: 'skipped', type: 'payout.status' })).toBe(2);
    expect(await count({ type: 'payee.updated' })).toBe(0);
    expect(await count({ transactionId: payout })).toBe(3);
    expect(await count({ transactionId: payout, status: 'failed' })).toBe(0);
    expect(await count({ payeeId: newId() })).toBe(0);
    const oldest = whole.data[4]?.createdAt ?? '';
    expect(await count({ createdFrom: oldest })).toBe(5);
    expect(await count({ createdTo: oldest })).toBe(0);
  });

  it.each([
    [{ status: 'sent' }, 'invalid_status'],
    [{ cursor: 'nowhere' }, 'invalid_cursor'],
    [{ createdFrom: '2026-02-30T00:00:00Z' }, 'invalid_request'],
    [{ createdTo: 'yesterday' }, 'invalid_request'],
    [{ transactionId: newId(), payeeId: newId() }, 'invalid_request'],
  ])('refuse to list %j', async (query, code) => {
    const client = await world.settings((await world.client(null)).id);
    await expect(events().list(client, query)).rejects.toMatchObject({ code });
  });

  it('read one with its attempts, replay it, and know nothing of what belongs to another', async () => {
    receiver.behave((response) => void response.writeHead(500).end('<b>broken</b>'));
    const { id } = await world.client(`${receiver.url}?token=s3cret`);
    const client = await world.settings(id);
    const payout = await world.events(id, 1);
    await world.announce(payout);
    const event = await world.eventOf(payout);

    const read = await events().read(client, event.id);
    expect(read).toMatchObject({ id: event.id, entityId: payout, sequence: 1, lastError: 'answered 500', attempts: 1 });
    expect(read.attemptLog).toEqual([
      {
        number: 1,
        startedAt: expect.stringMatching(/Z$/) as string,
        durationMs: expect.any(Number) as number,
        host: `127.0.0.1:${receiver.port}`,
        statusCode: 500,
        error: 'not_2xx',
        responseExcerpt: '<b>broken</b>',
      },
    ]);
    expect(JSON.stringify(read)).not.toContain('s3cret');
    expect(await events().replay(client, event.id, {})).toMatchObject({ id: event.id, status: 'pending', attempts: 0 });
    receiver.reset();
    await world.announce(payout);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(event.id);

    const stranger = await world.settings((await world.client(receiver.url)).id);
    await expect(events().read(stranger, event.id)).rejects.toMatchObject({ code: 'event_not_found' });
    await expect(events().replay(stranger, event.id, {})).rejects.toMatchObject({ code: 'event_not_found' });
    await expect(events().read(client, newId())).rejects.toMatchObject({ code: 'event_not_found' });
  });

  describe('the ping', () => {
    it('is signed like any event, and tells what came back', async () => {
      receiver.behave((response) => void response.writeHead(202).end('thanks'));
      const { id, secret } = await world.client(receiver.url);
      const { eventId, durationMs, ...view } = await ping(id);
      const came = { delivered: true, host: `127.0.0.1:${receiver.port}`, statusCode: 202, responseExcerpt: 'thanks' };
      expect(view).toEqual({ ...came, error: null, message: null });
      expect(durationMs).toBeGreaterThanOrEqual(0);
      const [got] = receiver.received;
      expect(JSON.parse(got?.body ?? '')).toEqual({
        ...{ type: 'ping', eventId, sequence: 0 },
        occurredAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });
      const headers = got?.headers as Record<string, string>;
      expect(() => new Webhook(secret).verify(got?.body ?? '', headers)).not.toThrow();
      expect(got?.headers).toMatchObject({ 'x-gw-event-type': 'ping', 'webhook-id': eventId });
      expect(await world.db.rows('SELECT FROM events WHERE id = $1', [eventId])).toEqual([]);
    });

    it('tells what went wrong', async () => {
      receiver.behave(() => undefined);
      const { id } = await world.client(receiver.url);
      const late = { error: 'timeout', message: 'no answer within 1 s' };
      expect(await ping(id)).toMatchObject({ delivered: false, statusCode: null, responseExcerpt: null, ...late });
    });

    it('needs a URL, and no transaction', async () => {
      const { id } = await world.client(null);
      await expect(ping(id)).rejects.toMatchObject({ code: 'webhook_url_missing' });
      await world.change(id, `webhook_url = '${receiver.url}'`);
      await expect(world.db.inTransaction(() => ping(id))).rejects.toThrow('inside a database transaction');
      expect(receiver.received).toEqual([]);
    });

    it('goes straight to the receiver, whatever proxies the environment names', async () => {
      const proxy = await new Receiver().start();
      const { id } = await world.client(receiver.url);
      await underProxySettings(`http://127.0.0.1:${proxy.port}`, async () => {
        const fresh = await startWorld();
        const client = await fresh.client(receiver.url);
        const view = fresh.module.get(WebhookTestsController).create(await fresh.settings(client.id), {});
        expect(await view).toMatchObject({ delivered: true });
        expect(await ping(id)).toMatchObject({ delivered: true });
        await fresh.stop();
      });
      expect([receiver.received.length, proxy.received.length]).toEqual([2, 0]);
      await proxy.stop();
    });
  });

  describe('in production', () => {
    let production: World;
    beforeAll(async () => {
      const lookUp = () => Promise.resolve(['10.0.0.7']);
      production = await startWorld({ production: true, lookUp });
    });
    afterAll(() => production?.stop());

    it('an event whose host leads inward fails at once, and the ping says so', async () => {
      const { id } = await production.client('https://hooks.example.com/x');
      const payout = await production.events(id, 1);
      await production.announce(payout);
      const inward = "The webhook's host leads to an address that is not public (private).";
      expect(await production.eventOf(payout)).toMatchObject({ status: 'failed', attempts: 0, lastError: inward });
      const client = await production.settings(id);
      const view = await production.module.get(WebhookTestsController).create(client, {});
      expect(view).toMatchObject({ delivered: false, error: 'address_refused', message: inward, statusCode: null });
    });
  });
});
