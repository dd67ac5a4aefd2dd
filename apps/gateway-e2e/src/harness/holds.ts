/** A payout that is held, what its caller reads of it, and how it goes on. */
import { type ApiClient, type Json, underTest } from './api';
import { query } from './database';
import { readPayout, reasonOf, stepsOf } from './money';

export async function makeHeld(client: ApiClient, payeeId: string, reason: string, fields = {}): Promise<Json> {
  const { status, body } = await client.payout(payeeId, fields);
  expect([status, body.status, body.failureKind, body.retryable]).toEqual([201, 'held', 'transient', false]);
  const payout = await readPayout(client, body.id);
  expect(reasonOf(payout)).toBe(reason);
  expect(stepsOf(payout)).toEqual(['null create requested', 'requested block held']);
  return payout;
}

/** The remedy was applied: the same payout goes on, under the same code at the rail. */
export async function expectReleased(
  client: ApiClient,
  { id }: Json,
  to = ['authorized', 'submitted', 'paid'],
): Promise<Json> {
  const [before] = await query<{ rail_key: string }>(
    underTest().databaseUrl,
    'SELECT rail_key FROM payouts WHERE id = $1',
    [id],
  );
  const { status, body } = await client.post(`/payouts/${id}/release`);
  expect([status, body.id]).toEqual([200, id]);
  expect(to).toContain(body.status);
  const [after] = await query(underTest().databaseUrl, 'SELECT rail_key FROM payouts WHERE id = $1', [id]);
  expect(after).toEqual(before);
  return body;
}

export async function expectStillHeld(client: ApiClient, { id }: Json, reason: string): Promise<void> {
  const { body } = await client.post(`/payouts/${id}/release`);
  expect(body.status).toBe('held');
  expect(reasonOf(await readPayout(client, id))).toBe(reason);
}
