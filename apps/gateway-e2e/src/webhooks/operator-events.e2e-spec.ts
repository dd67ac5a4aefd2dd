/** What operators see of events, and how they send them once more. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { WebhookCatcher } from '../harness/webhook-catcher';

const eventsOf = async (client: ApiClient, query = ''): Promise<Json[]> =>
  (await operator('GET', `/events?clientId=${client.id}${query}`)).body.data;

const ended = (client: ApiClient): Promise<Json[]> =>
  eventually(
    () => eventsOf(client),
    (events) => events.length > 0 && events.every(({ status }) => status !== 'pending'),
  );

describe('events, for operators', () => {
  const catcher = new WebhookCatcher();
  let client: ApiClient;
  let paid: Json;
  beforeAll(async () => {
    await catcher.start();
    client = await newClient({ webhookUrl: catcher.url });
    const payee = await client.payablePayee();
    paid = (await client.payout(payee.id)).body;
    await ended(client);
  });
  afterAll(() => catcher.stop());

  const received = (id: string): Json[] => catcher.received.filter(({ headers }) => headers['x-gw-event-id'] === id);

  test('are searched by client, type, status and time', async () => {
    const all = await eventsOf(client);
    expect(all.every(({ clientId, status }) => clientId === client.id && status === 'delivered')).toBe(true);
    const steps = all.filter(({ type }) => type === 'payout.status');
    expect(await eventsOf(client, '&type=payout.status')).toEqual(steps);
    expect(await eventsOf(client, '&status=failed')).toEqual([]);
    expect(await eventsOf(client, `&to=${paid.createdAt}&type=payout.status`)).toEqual([]);
    expect(await eventsOf(client, `&from=${paid.createdAt}&type=payout.status`)).toEqual(steps);
    const { body } = await operator('GET', `/events/${steps[0].id}`);
    expect(body).toMatchObject({ id: steps[0].id, entityId: paid.id, attemptLog: [{ number: 1, statusCode: 204 }] });
  });

  test.each([
    ['status=lost', 'invalid_request'],
    ['from=yesterday', 'invalid_request'],
    ['from=2026-02-30T00:00:00Z', 'invalid_request'],
    ['cursor=x', 'invalid_cursor'],
    ['clientId=x', 'invalid_request'],
    ['page=2', 'invalid_request'],
  ])('are not searched by %s', async (query, error) => {
    const { status, body } = await operator('GET', `/events?${query}`);
    expect([status, body.error]).toEqual([400, error]);
  });

  test('are sent once more, one of them, under its own id, and the log says who asked', async () => {
    const [{ id }] = await eventsOf(client, '&type=payout.status');
    const { status, body } = await operator('POST', `/events/${id}/replay`);
    expect([status, body.id]).toEqual([200, id]);
    await eventually(
      () => Promise.resolve(received(id).length),
      (count) => count === 2,
    );
    const { body: log } = await operator('GET', `/audit?clientId=${client.id}`);
    expect(log.data).toContainEqual(expect.objectContaining({ action: 'event.replayed', target: id }));
    expect((await operator('POST', `/events/${randomUUID()}/replay`)).body.error).toBe('event_not_found');
  });

  test('have each attempt on record, also one that a replay overtook', async () => {
    const [{ id }] = await eventsOf(client, '&type=payee.updated');
    const held: ServerResponse[] = [];
    catcher.behave((_, response) => void held.push(response));
    const before = (await operator('GET', `/events/${id}`)).body.attemptLog.length;
    for (let turn = 1; turn <= 2; turn += 1) {
      await operator('POST', `/events/${id}/replay`);
      await eventually(
        () => Promise.resolve(held.length),
        (count) => count === turn,
      );
    }
    catcher.behave();
    for (const response of held) response.writeHead(204).end();
    await eventually(
      () => operator('GET', `/events/${id}`),
      ({ body }) => body.status === 'delivered' && body.attemptLog.length === before + 2,
    );
  });

  test('are sent once more, all of a status and time', async () => {
    const from = '2026-01-01T00:00:00Z';
    const failed = await operator('POST', `/clients/${client.id}/events/replay`, { from });
    expect([failed.status, failed.body]).toEqual([200, { replayed: 0, nextFrom: null }]);
    const delivered = await operator('POST', `/clients/${client.id}/events/replay`, { from, status: 'delivered' });
    expect(delivered.body).toEqual({ replayed: (await eventsOf(client)).length, nextFrom: null });
    await ended(client);
    for (const { id } of await eventsOf(client)) expect(received(id).length).toBeGreaterThanOrEqual(2);
  });

  test.each<[string, Json, string]>([
    ['no time', {}, 'invalid_request'],
    ['an end before the beginning', { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'invalid_request'],
    ['what was never to be sent', { from: '2026-01-01T00:00:00Z', status: 'skipped' }, 'event_not_replayable'],
    ['what is no status', { from: '2026-01-01T00:00:00Z', status: 'lost' }, 'invalid_request'],
  ])('are not sent once more with %s', async (_, body, error) => {
    expect((await operator('POST', `/clients/${client.id}/events/replay`, body)).body.error).toBe(error);
  });

  test('are not sent once more to whoever is not subscribed any more, or is closed', async () => {
    const leaving = await newClient({ webhookUrl: catcher.url });
    await leaving.payablePayee();
    const [{ id }] = await ended(leaving);
    const bulk = { from: '2026-01-01T00:00:00Z', status: 'delivered' };
    await operator('PATCH', `/clients/${leaving.id}`, { eventTypes: ['payout.status'] });
    await eventually(
      () => operator('POST', `/events/${id}/replay`),
      ({ body }) => body.error === 'event_not_replayable',
    );
    expect((await operator('POST', `/clients/${leaving.id}/events/replay`, bulk)).body.replayed).toBe(0);
    await operator('PATCH', `/clients/${leaving.id}`, { status: 'closed' });
    await eventually(
      () => operator('POST', `/clients/${leaving.id}/events/replay`, bulk),
      ({ body }) => body.error === 'event_not_replayable',
    );
  });

  test('are searched by viewers, and sent once more by operators', async () => {
    const { body } = await operator('POST', '/operators', { name: `viewer-${randomUUID()}`, role: 'viewer' });
    const [{ id }] = await eventsOf(client);
    expect((await operator('GET', '/events', undefined, body.token)).status).toBe(200);
    expect((await operator('GET', '/receivers', undefined, body.token)).status).toBe(200);
    const replay = await operator('POST', `/events/${id}/replay`, undefined, body.token);
    expect([replay.status, replay.body.error]).toEqual([403, 'insufficient_role']);
  });
});
