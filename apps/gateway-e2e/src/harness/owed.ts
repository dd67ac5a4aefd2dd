/** What specs about owed money need: rows, withdrawals, balances, and where each row stands. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, type Json } from './api';
import { query } from './database';

export const owedRow = (payeeId: string, more: Record<string, unknown> = {}): Json => ({
  payeeId,
  amountCents: 1_000,
  currency: 'USD',
  externalRef: `row-${randomUUID()}`,
  ...more,
});

export const push = (client: ApiClient, items: Json[], more: Record<string, unknown> = {}): Promise<Answer> =>
  client.post('/disbursements', { items, ...more });

/** Pushes rows of these amounts, oldest first, and answers them. */
export async function owe(
  client: ApiClient,
  payeeId: string,
  amounts: number[],
  more: Record<string, unknown> = {},
): Promise<Json[]> {
  const { status, body } = await push(
    client,
    amounts.map((amountCents) => owedRow(payeeId, { amountCents, ...more })),
  );
  if (status !== 207 || body.results.some((row: Json) => row.status !== 'ok'))
    throw new Error(`Not pushed: ${JSON.stringify(body)}`);
  return body.results.map(({ disbursement }: Json) => disbursement);
}

export const withdraw = (client: ApiClient, payeeId: string): Promise<Answer> =>
  client.post(`/payees/${payeeId}/withdraw`);

export async function rowsOf(client: ApiClient, payeeId: string): Promise<Json[]> {
  const { body } = await client.get(`/disbursements?payeeId=${payeeId}`);
  return body.data;
}

/** Where rows stand, in the order in which they were pushed. */
export async function standing(client: ApiClient, rows: Json[]): Promise<string[]> {
  const answers = await Promise.all(rows.map(({ id }) => client.get(`/disbursements/${id}`)));
  return answers.map(({ body }) => body.status);
}

export async function payoutOf(client: ApiClient, { id }: Json): Promise<Json> {
  const { body } = await client.get(`/disbursements/${id}`);
  return (await client.get(`/payouts/${body.transactionId}`)).body;
}

/** Of whichever client. */
export async function newestPayout(databaseUrl: string): Promise<string> {
  const [payout] = await query<{ id: string }>(
    databaseUrl,
    'SELECT id::text FROM payouts ORDER BY created_at DESC LIMIT 1',
  );
  return payout?.id ?? '';
}

export async function balanceOf(client: ApiClient, payeeId: string, currency?: string): Promise<Json> {
  const { body } = await client.get(`/payees/${payeeId}/balance${currency ? `?currency=${currency}` : ''}`);
  return body;
}

export const EMPTY_BALANCE = {
  withdrawableCents: 0,
  onTheWayCents: 0,
  actionNeededCents: 0,
  landedCents: 0,
  heldBelowMinimumCents: 0,
};
