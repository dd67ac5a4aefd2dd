/** What specs about money need again and again: prepaid clients, payees on the rails that settle later, and their ledgers. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, underTest } from './api';
import { query } from './database';

export const deposit = (client: ApiClient, amountCents: number, more: Record<string, unknown> = {}): Promise<Answer> =>
  operator('POST', `/clients/${client.id}/wallet/entries`, {
    type: 'deposit',
    currency: 'USD',
    amountCents,
    reference: randomUUID(),
    ...more,
  });

export async function walletOf(client: ApiClient, currency = 'USD'): Promise<Json> {
  const { body } = await client.get('/wallet');
  return (body as Json[]).find((wallet) => wallet.currency === currency);
}

export async function prepaidClient(cents: number, settings: Record<string, unknown> = {}): Promise<ApiClient> {
  const client = await newClient({ prepaid: true, ...settings });
  if (cents > 0) await deposit(client, cents);
  return client;
}

export const readPayout = async (client: ApiClient, id: string): Promise<Json> =>
  (await client.get(`/payouts/${id}`)).body;

export const reachesStatus = (client: ApiClient, id: string, status: string, withinMs?: number): Promise<Json> =>
  eventually(
    () => readPayout(client, id),
    (payout) => payout.status === status,
    withinMs,
  );

/** The steps a payout took: from, by what, to. */
export const stepsOf = ({ events }: Json): string[] =>
  (events as Json[]).map(({ fromStatus, type, toStatus }) => `${fromStatus} ${type} ${toStatus}`);

export const reasonOf = ({ statusReason }: Json): string | null => statusReason && String(statusReason).split(':')[0];

/** A payee of a live client with a payable account on a stand-in rail. */
export async function payeeWithAccount(
  client: ApiClient,
  provider: string,
  account = `acct_${randomUUID()}`,
  fields: Record<string, unknown> = {},
): Promise<Json> {
  const { id } = await client.payee(fields);
  const { status, body } = await client.post(`/payees/${id}/methods`, { provider, providerAccountId: account });
  if (status !== 200) throw new Error(`No account: ${JSON.stringify(body)}`);
  return body.payee;
}

/** Turns a page in a stand-in's ledger, as its provider would. */
export async function atTheRail(payoutId: string, change: Record<string, unknown>): Promise<void> {
  await eventually(
    () => query(underTest().databaseUrl, CHANGE_THERE, [payoutId, JSON.stringify(change)]),
    (changed) => changed.length > 0, // a payout is submitted before its rail hears of it
  );
}

const CHANGE_THERE = `
  UPDATE rail_records SET value = value || $2::jsonb, changed_at = clock_timestamp()
  WHERE key = (SELECT 'payment:' || rail_key FROM payouts WHERE id = $1) RETURNING key`;

export async function fundRail(rail: string, currency: string, availableCents: number): Promise<void> {
  await query(
    underTest().databaseUrl,
    `INSERT INTO rail_records (rail, key, value) VALUES ($1, 'funds:' || $2, $3)
     ON CONFLICT (rail, key) DO UPDATE SET value = excluded.value, changed_at = clock_timestamp()`,
    [rail, currency, JSON.stringify({ currency, availableCents })],
  );
}

/** How often the rail moved money under this payout's code: at most once, whatever happened. */
export async function movementsOf(payoutId: string): Promise<number> {
  const rows = await query(
    underTest().databaseUrl,
    `SELECT FROM rail_records JOIN payouts ON rail_records.key = 'payment:' || payouts.rail_key
     WHERE payouts.id = $1 AND value ->> 'settledAt' IS NOT NULL`,
    [payoutId],
  );
  return rows.length;
}

export const runJob = async (name: string): Promise<Json> => (await operator('POST', `/jobs/${name}/run`)).body;

/** Every spec puts the same table, so that they can run side by side. The United States have no rail. */
const ROUTES = {
  routes: {
    DE: ['claim_rail'],
    IT: ['swap_rail'],
    FR: ['custodial_a'],
    CH: ['custodial_b'],
    JP: ['unwired_rail'],
    BR: ['future_rail'],
    KP: ['claim_rail'],
  },
  blockedCountries: ['KP'],
};

export async function putRoutes(): Promise<void> {
  const { status, body } = await operator('PUT', '/routes', ROUTES);
  if (status !== 200) throw new Error(`No routes: ${JSON.stringify(body)}`);
}
