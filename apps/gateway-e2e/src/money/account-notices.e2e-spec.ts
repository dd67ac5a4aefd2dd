/** A provider calls us about an account of a payee, and it is read at once and not in its turn. */
import { createHmac, randomUUID } from 'node:crypto';
import { type ApiClient, eventually, newClient, send, underTest } from '../harness/api';
import { query } from '../harness/database';
import { putRoutes } from '../harness/money';

const { databaseUrl, urls } = underTest();

describe('a notice about an account', () => {
  let live: ApiClient;
  let account: string;
  beforeAll(async () => {
    await putRoutes();
    live = await newClient({ testMode: false });
    account = `acct_${randomUUID()}`;
  });

  const stands = (payable: boolean): Promise<unknown> =>
    query(
      databaseUrl,
      `INSERT INTO rail_records (rail, key, value) VALUES ('custodial_a', 'account:' || $1, $2)
       ON CONFLICT (rail, key) DO UPDATE SET value = excluded.value`,
      [account, JSON.stringify({ payable })],
    );
  const notify = (notice: object): Promise<{ status: number }> => {
    const text = JSON.stringify(notice);
    const signature = createHmac('sha256', 'stand-in').update(text).digest('hex');
    return send(`${urls[0]}/rails/v1/custodial_a/notices`, 'POST', { 'x-stand-in-signature': signature }, text);
  };

  test('makes its payee payable, and accounts of nobody do no harm', async () => {
    await stands(false);
    const { id } = await live.payee({ country: 'FR' });
    await live.post(`/payees/${id}/methods`, { provider: 'custodial_a', providerAccountId: account });
    // As if it had been asked about a while ago, and its turn were far away.
    await query(
      databaseUrl,
      `UPDATE methods SET checked_at = now() - interval '1 minute', ask_at = now() + interval '1 day' WHERE payee_id = $1`,
      [id],
    );
    await stands(true);
    const { status } = await notify({ id: randomUUID(), railKeys: [], accountIds: [account, 'acct_of_nobody'] });
    expect(status).toBe(200);
    await eventually(
      () => live.get(`/payees/${id}`),
      ({ body }) => body.payable === true,
    );
  });
});
