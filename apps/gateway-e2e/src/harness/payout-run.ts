/** Pays many times while something goes wrong, the way a careful caller does, and checks afterwards what must hold. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type ApiClient, eventually, type Json, newClient } from './api';
import { query } from './database';
import type { Topology } from './topology';
import { WebhookCatcher } from './webhook-catcher';

export interface PayoutRun {
  client: ApiClient;
  catcher: WebhookCatcher;
  payee: Json;
}

/** The specs of this folder bring their own gateways; the client is told where they are. */
export async function beginRun(topology: Topology): Promise<PayoutRun> {
  const { urls, operatorToken, databaseUrl } = topology;
  process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
  const catcher = await new WebhookCatcher().start();
  const client = await newClient({ webhookUrl: catcher.url, caps: { dailyCents: 100_000_000 } });
  return { client, catcher, payee: await client.payablePayee() };
}

/** Sends the same payout, signed again, until somebody answers; what was not accepted was said so. */
export async function payUntilAnswered(
  { client, payee }: PayoutRun,
  reason?: string,
  idempotencyKey: string = randomUUID(),
): Promise<Answer> {
  const wish = { idempotencyKey, ...(reason ? { reason } : {}) };
  for (;;) {
    const answer = await client.payout(payee.id, wish).catch(() => null);
    if (answer && answer.status < 500) return answer;
    await pause(100); // nobody is there: wait for the restart as a caller would
  }
}

const UNFINISHED = `SELECT id::text, status FROM payouts WHERE status IN ('requested', 'authorized', 'submitted')`;
/**
 * A rail that was asked about what is over already is asked once more minutes later, and again after an hour; and payees are resolved once
 * more a minute after their routing changed. Nobody waits for that.
 */
const JOBS = `
  SELECT name, entity_id::text, last_error FROM jobs
  WHERE NOT ((name LIKE 'payout.look%' OR name = 'payees.resolve') AND run_at > now() + interval '30 seconds')`;

/** Everything came to rest: no payout under way, nothing left to do. */
export async function cameToRest(databaseUrl: string): Promise<void> {
  await eventually(
    async () => [...(await query<object>(databaseUrl, UNFINISHED)), ...(await query<object>(databaseUrl, JOBS))],
    (left) => left.length === 0,
  );
}

/** Each payout paid exactly once, at the rail too; each step told at least once, repeats under the same id. */
export async function expectPaidOnce(databaseUrl: string, { catcher }: PayoutRun, ids: string[]): Promise<void> {
  const payouts = await query<{ id: string; status: string; movements: number; paid: number }>(databaseUrl, OUTCOMES, [
    ids,
  ]);
  expect(payouts.map(({ id }) => id).sort()).toEqual([...new Set(ids)].sort());
  for (const payout of payouts) expect(payout).toMatchObject({ status: 'paid', movements: 1, paid: 1 });
  expect(await query(databaseUrl, 'SELECT key FROM rail_records')).toHaveLength(payouts.length);
  const steps = await query<{ id: string; sequence: number }>(databaseUrl, STEPS, [ids]);
  const told = new Map<string, Set<string>>();
  for (const { json } of catcher.received) {
    const { transactionId, sequence, eventId } = json as Json;
    const key = `${transactionId} ${sequence}`;
    told.set(key, (told.get(key) ?? new Set()).add(eventId));
  }
  for (const { id, sequence } of steps)
    expect([id, sequence, told.get(`${id} ${sequence}`)?.size]).toEqual([id, sequence, 1]);
}

const OUTCOMES = `
  SELECT payouts.id::text, payouts.status,
    (SELECT count(*)::int FROM rail_records WHERE key = 'payment:' || payouts.rail_key) AS movements,
    (SELECT count(*)::int FROM payout_trail WHERE payout_id = payouts.id AND to_status = 'paid') AS paid
  FROM payouts WHERE id = ANY($1::uuid[])`;

const STEPS = 'SELECT payout_id::text AS id, sequence FROM payout_trail WHERE payout_id = ANY($1::uuid[])';
