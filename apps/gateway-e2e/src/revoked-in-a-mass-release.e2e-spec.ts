/** Whose token was taken back releases nothing more: also not what is left of many that they asked for before (ADR 37: out at once). */
import { Client } from 'pg';
import { eventually, newClient, operator, underTest } from './harness/api';

test('a release of many ends with the token of who asked for it', async () => {
  const client = await newClient();
  const named = await operator('POST', '/operators', { name: `eve-${client.id.slice(-8)}`, role: 'operator' });
  const ids: string[] = [];
  const payees: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id } = await client.payablePayee();
    payees.push(id);
    ids.push((await client.payout(id, { amountCents: 50 })).body.id);
  }
  const holder = new Client({ connectionString: underTest().databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM payees WHERE id = $1 FOR UPDATE', [payees[1]]);
  const asked = { reason: 'below_min_payout', clientId: client.id };
  const releasing = operator('POST', '/payouts/release', asked, named.body.token);
  const status = async (n: number) => (await client.get(`/payouts/${ids[n]}`)).body.status;
  await eventually(
    () => status(0),
    (is) => is !== 'held',
  );
  expect((await operator('DELETE', `/operators/${named.body.operator.id}`)).status).toBe(200);
  await holder.query('COMMIT');
  await holder.end();
  await releasing;
  expect(await status(2)).toBe('held');
});
