/** Many at once: exactly one wins, the others learn what it did, and nothing answers 5xx. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type ApiClient, eventually, newClient, send, signedHeaders, underTest, unixNow } from './harness/api';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe('races', () => {
  let client: ApiClient;

  beforeAll(async () => {
    client = await newClient();
  });

  test('40 equal payouts are one', async () => {
    const payee = await client.payablePayee();
    const idempotencyKey = randomUUID();
    const answers = await times(40, () => client.payout(payee.id, { idempotencyKey }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(39);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { body } = await client.get(`/payouts?payeeId=${payee.id}`);
    expect(body.data).toHaveLength(1);
  });

  test('20 copies of one signed POST let one through, over all processes', async () => {
    const payee = await client.payablePayee();
    const body = JSON.stringify({ payeeId: payee.id, amountCents: 500, currency: 'USD', idempotencyKey: randomUUID() });
    const headers = { ...signedHeaders(client.key, client.secret, body), 'content-type': 'application/json' };
    const { urls } = underTest();
    const answers = await times(20, (index) =>
      send(`${urls[index % urls.length]}/api/v1/payouts`, 'POST', headers, body),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      answers.filter(({ status, body: { error } }) => status === 401 && error === 'replayed_request'),
    ).toHaveLength(19);
  });

  test('50 upserts of one externalId are one payee', async () => {
    const externalId = randomUUID();
    const answers = await times(50, (index) => client.post('/payees', { externalId, name: `Name ${index}` }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('one account adopted by 20 payees of two clients goes to one of them', async () => {
    const other = await newClient();
    const owners = await times(20, async (index) => {
      const owner = index % 2 ? client : other;
      return { owner, payee: await owner.payee() };
    });
    const providerAccountId = `acct_${randomUUID()}`;
    const answers = await Promise.all(
      owners.map(({ owner, payee }) =>
        owner.post(`/payees/${payee.id}/methods`, { provider: 'custodial_a', providerAccountId }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'account_already_linked')).toHaveLength(19);
  });

  test('20 retries of one failed payout move the money once', async () => {
    const payee = await client.payablePayee();
    const { body: failed } = await client.payout(payee.id, { reason: 'mock:fail_once' });
    const answers = await times(20, () => client.post(`/payouts/${failed.id}/retry`));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { body } = await client.get(`/payouts/${failed.id}`);
    expect(body.status).toBe('paid');
    expect(body.events.filter(({ toStatus }: { toStatus: string }) => toStatus === 'paid')).toHaveLength(1);
  });

  test('20 payouts at the daily cap pass exactly what fits', async () => {
    const capped = await newClient({ caps: { dailyCents: 5000 } });
    const payee = await capped.payablePayee();
    const answers = await times(20, () => capped.payout(payee.id, { amountCents: 1000 }));
    expect(answers.filter(({ body }) => body.status === 'paid')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.status === 'held')).toHaveLength(15);
  });

  test('60 changes of payees that somebody holds keep no other client from anything', async () => {
    const other = await newClient();
    const payee = await other.payablePayee();
    const held = await times(60, () => client.payee());
    const holder = new Client({ connectionString: underTest().databaseUrl });
    await holder.connect();
    let answered = 0;
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM payees WHERE client_id = $1 FOR NO KEY UPDATE', [client.id]);
      const changes = times(60, async (index) => {
        const { externalId } = held[index] as { externalId: string };
        const answer = await client.post('/payees', { externalId, name: `Name ${index}` });
        answered += 1;
        return answer;
      });
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await eventually(
        () => holder.query(waits),
        ({ rowCount }) => (rowCount ?? 0) > 1,
      );
      for (let index = 0; index < 8; index += 1)
        expect((await other.payout(payee.id, { idempotencyKey: randomUUID() })).status).toBe(201);
      expect((await other.post('/payees', { externalId: payee.externalId, name: 'Ada' })).status).toBe(200);
      expect(answered).toBe(0);
      await holder.query('COMMIT');
      expect(new Set((await changes).map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      await holder.end();
    }
  });

  test('a client may make exactly its number of requests a minute, over all processes', async () => {
    const limited = await newClient({ rateLimitPerMinute: 50 });
    // A window that turns in the middle would let more through: begin when there is time enough left.
    await eventually(
      async () => unixNow() % 60,
      (second) => second < 50,
    );
    const answers = await times(70, () => limited.get('/payees'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.error === 'rate_limited')).toHaveLength(20);
  });
});
