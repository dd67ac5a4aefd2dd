/**
 * A client's long withdrawal holds its wallet and its payee for many seconds. Operators who post deposits to that wallet, or block that payee, many
 * at once, keep no more than two thirds of a process's connections, or all other clients wait with them (8, ADR 45).
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Answer, ApiClient, eventually, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

/** More than one process has connections. */
const AT_ONCE = 24;
/** Two thirds of those that a process has by default. */
const MOST_THAT_WAIT = 8;
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

describe('what operators do to what a client’s withdrawal holds', () => {
  const holder = new Client({ connectionString: underTest().databaseUrl });
  beforeAll(() => holder.connect());
  afterAll(() => holder.end());

  const deposit = (clientId: string): Promise<Answer> =>
    operator('POST', `/clients/${clientId}/wallet/entries`, {
      ...{ type: 'deposit', currency: 'USD', amountCents: 100, reference: randomUUID() },
    });

  test.each([
    ['deposits', (clientId: string) => deposit(clientId)],
    [
      'blocks',
      (_: string, payeeId: string) => operator('PATCH', `/payees/${payeeId}`, { blocked: true, blockReason: 'x' }),
    ],
  ])('(%s) keeps no other client’s payout waiting', async (_, deed) => {
    const held = await newClient({ prepaid: true });
    const payee = await held.payablePayee();
    expect((await deposit(held.id)).status).toBe(201);
    const { id, key, secret } = await newClient();
    const other = new ApiClient(id, key, secret, underTest().urls.slice(0, 1));
    const theirs = await other.payablePayee();
    await holder.query('BEGIN');
    let deeds: Promise<unknown> = Promise.resolve();
    try {
      await holder.query('SELECT FROM payees WHERE id = $1 FOR NO KEY UPDATE', [payee.id]);
      await holder.query('SELECT FROM wallets WHERE client_id = $1 FOR NO KEY UPDATE', [held.id]);
      deeds = Promise.all(Array.from({ length: AT_ONCE }, () => deed(held.id, payee.id)));
      const waiting = async (): Promise<number> => (await query(underTest().databaseUrl, WAITING)).length;
      await eventually(waiting, (many) => many > 0);
      for (let nth = 0; nth < 10; nth += 1) {
        expect((await other.payout(theirs.id)).status).toBe(201);
        expect(await waiting()).toBeLessThanOrEqual(MOST_THAT_WAIT * underTest().urls.length);
      }
    } finally {
      await holder.query('ROLLBACK');
      await deeds;
    }
  });
});
