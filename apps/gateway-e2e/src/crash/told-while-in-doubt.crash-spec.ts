/**
 * PayPal has a batch, and its answer was lost; its payee is blocked before anybody asks. The payout is held in doubt, for a question would have to send it
 * again. Then PayPal tells by a signed notice that it was paid, and names the batch. "An acceptance or settlement that is heard for a payout at rest is never
 * dropped in silence: a held ... payout goes on from where it was sent; a permanently failed ... one stays as it is, becomes drift that names it within the
 * minute" (point 1). PayPal can be asked about the batch that its notice names without sending anything.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { reachesStatus } from '../harness/money';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };

describe('a payout in doubt at PayPal, of which PayPal tells', () => {
  let service: RailService;
  let client: ApiClient;

  beforeAll(async () => {
    service = await startRailService({ CLAIM_RAIL_TIMEOUT_MS: '4000' });
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    await service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
    client = await newClient({ testMode: false, statusVersion: 2 });
  });
  afterAll(() => stopRailService(service));

  /** PayPal holds it for its payee, who does not have an account yet, and nobody here knows. */
  const heldInDoubt = async (): Promise<{ id: string; payment: Json; ada: Json }> => {
    const ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'notices', { url: null });
    await service.sandbox.fault(RAIL, { effect: 'silence_after', match: SEND, times: 1 });
    await service.sandbox.fault(RAIL, { effect: 'server_error', match: SEND, times: 1_000 });
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    const payment = await eventually(
      async () =>
        ((await service.sandbox.books(RAIL)).payments as Json[]).find(({ receiver }) => receiver === ada.email),
      (found) => found !== undefined,
    );
    await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'asked to' });
    await reachesStatus(client, body.id, 'held', 120_000);
    await service.sandbox.forgetFaults(RAIL);
    return { id: body.id, payment, ada };
  };
  const notices = async (): Promise<number> =>
    (await query(service.databaseUrl, 'SELECT FROM rail_notices WHERE rail = $1', [RAIL])).length;
  /** Its payee comes for it, and PayPal tells that. Returns once the notice was looked into. */
  const isTold = async ({ payment }: { payment: Json }): Promise<void> => {
    const known = await notices();
    await service.sandbox.does(RAIL, 'notices', { url: `${service.gateway.url}/rails/v1/${RAIL}/notices` });
    await service.sandbox.does(RAIL, 'claim', { payment: payment.batchId });
    await eventually(notices, (heard) => heard > known); // believed: what is forged is not written down
    const { payments } = await service.sandbox.books(RAIL);
    expect((payments as Json[]).find(({ batchId }) => batchId === payment.batchId)).toMatchObject({
      status: 'SUCCESS',
    });
  };
  const isNamed = async (id: string): Promise<Json> => {
    const [row] = await query<Json>(
      service.databaseUrl,
      'SELECT status, (SELECT count(*)::int FROM drift WHERE payout_id = payouts.id) AS drifts FROM payouts WHERE id = $1',
      [id],
    );
    return row as Json;
  };
  const withinTheMinute = async (id: string): Promise<Json> => {
    let now = await isNamed(id);
    for (let second = 0; second < 75 && now.status !== 'paid' && now.drifts === 0; second += 1) {
      await pause(1_000);
      now = await isNamed(id);
    }
    return now;
  };

  test('it was held: it goes on, or is named', async () => {
    const held = await heldInDoubt();
    await isTold(held);
    const now = await withinTheMinute(held.id);
    expect([now.status === 'paid' || now.drifts > 0, now]).toEqual([true, now]);
  });

  test('an operator failed it since: it is named', async () => {
    const held = await heldInDoubt();
    expect((await operator('POST', `/payouts/${held.id}/fail`, { reason: 'its payee is blocked' })).status).toBe(200);
    await isTold(held);
    const now = await withinTheMinute(held.id);
    expect([now.drifts > 0, now]).toEqual([true, now]);
  });
});
