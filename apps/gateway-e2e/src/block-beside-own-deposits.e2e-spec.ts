/**
 * An operator reads a bank's statement in, while a long withdrawal of that client holds its wallet: many deposits at once, and all of them wait. What the
 * same operator does meanwhile to somebody whom nothing holds, as to block a payee of another client, is done before those are over (3, ADR 126): it is not
 * refused, and does not wait until a deposit gave up.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Answer, eventually, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

/** More than all processes have connections. */
const AT_ONCE = 24 * underTest().urls.length;
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

describe('an operator whose deposits wait for a wallet that is held', () => {
  const holder = new Client({ connectionString: underTest().databaseUrl });
  beforeAll(() => holder.connect());
  afterAll(() => holder.end());

  const deposit = (clientId: string): Promise<Answer> =>
    operator('POST', `/clients/${clientId}/wallet/entries`, {
      ...{ type: 'deposit', currency: 'USD', amountCents: 100, reference: randomUUID() },
    });

  test('blocks a payee of another client meanwhile', async () => {
    const held = await newClient({ prepaid: true });
    expect((await deposit(held.id)).status).toBe(201);
    const { id } = await (await newClient()).payablePayee();
    await holder.query('BEGIN');
    let deposits: Promise<Answer>[] = [];
    try {
      await holder.query('SELECT FROM wallets WHERE client_id = $1 FOR NO KEY UPDATE', [held.id]);
      deposits = Array.from({ length: AT_ONCE }, () => deposit(held.id));
      await eventually(
        async () => (await query(underTest().databaseUrl, WAITING)).length,
        (many) => many > 0,
      );
      const blocked = operator('PATCH', `/payees/${id}`, { blocked: true, blockReason: 'a fraud' });
      const first = await Promise.race([
        blocked.then(({ status }) => ['block', status]),
        ...deposits.map((one) => one.then(({ status }) => ['deposit', status])),
      ]);
      expect(first).toEqual(['block', 200]);
    } finally {
      await holder.query('ROLLBACK');
      await Promise.all(deposits);
    }
  });
});
