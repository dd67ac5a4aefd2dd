/**
 * An operator does many deeds to what somebody holds for long, as a test client that lets time pass holds all of its rows: all of them wait. What the
 * same operator does meanwhile to somebody whom nothing holds, as to block a payee of another client, is done before those are over (3, 8, ADR 126).
 */
import { Client } from 'pg';
import { type Answer, type ApiClient, eventually, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

const AT_ONCE = 24 * underTest().urls.length;
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

interface Scene {
  client: ApiClient;
  payees: string[];
  payouts: string[];
}

type Deed = (scene: Scene, nth: number) => Promise<Answer>;

const nth = (some: string[], at: number): string => some[at % some.length] ?? '';

const DEEDS: [string, string, Deed][] = [
  [
    'blocks',
    'payees WHERE client_id = $1',
    ({ payees }, at) => operator('PATCH', `/payees/${nth(payees, at)}`, { blocked: true, blockReason: 'a fraud' }),
  ],
  [
    'fails',
    'payouts WHERE client_id = $1',
    ({ payouts }, at) => operator('POST', `/payouts/${nth(payouts, at)}/fail`, {}),
  ],
  [
    'changes',
    'clients WHERE id = $1',
    ({ client }, at) => operator('PATCH', `/clients/${client.id}`, { name: `Client ${at}` }),
  ],
];

describe('an operator whose deeds wait for what somebody holds', () => {
  const holder = new Client({ connectionString: underTest().databaseUrl });
  beforeAll(() => holder.connect());
  afterAll(() => holder.end());

  test.each(DEEDS)('(%s, %s) blocks a payee of another client meanwhile', async (_, rows, deed) => {
    const client = await newClient();
    const payees: string[] = [];
    const payouts: string[] = [];
    for (let at = 0; at < 24; at += 1) {
      const payee = await client.payablePayee();
      payees.push(payee.id);
      const { body } = await client.payout(payee.id, { reason: 'mock:hold_not_payable' });
      payouts.push(body.id as string);
    }
    const { id } = await (await newClient()).payablePayee();
    await holder.query('BEGIN');
    let deeds: Promise<Answer>[] = [];
    try {
      await holder.query(`SELECT FROM ${rows} FOR UPDATE`, [client.id]);
      deeds = Array.from({ length: AT_ONCE }, (_one, at) => deed({ client, payees, payouts }, at));
      await eventually(
        async () => (await query(underTest().databaseUrl, WAITING)).length,
        (many) => many > 0,
      );
      const blocked = operator('PATCH', `/payees/${id}`, { blocked: true, blockReason: 'a fraud' });
      const first = await Promise.race([
        blocked.then(({ status }) => ['block', status]),
        ...deeds.map((one) => one.then(({ status, body }) => ['deed', status, body.error])),
      ]);
      expect(first).toEqual(['block', 200]);
    } finally {
      await holder.query('ROLLBACK');
      await Promise.all(deeds);
    }
  });
});
