/** What operators see of mails, and sending one that was not sent. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, operator } from './harness/api';
import { mailsTo } from './harness/wallet';

describe('mails to payees', () => {
  let client: ApiClient;
  let payee: Json;
  beforeEach(async () => {
    client = await newClient();
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
  });
  const listed = async (query: string): Promise<Json[]> => (await operator('GET', `/mails?${query}`)).body.data;

  test('are found by client, address, kind and status, page by page, and hold no link', async () => {
    await client.payout(payee.id, { reason: 'mock:claim' });
    await client.post(`/payees/${payee.id}/portal-link`, {});
    await mailsTo(payee.email, 2);
    const mine = await listed(`to=${encodeURIComponent(payee.email.toUpperCase())}`);
    expect(mine.map(({ kind }) => kind).sort()).toEqual(['claim_link', 'portal_link']);
    expect(JSON.stringify(mine)).not.toMatch(/https?:/);
    expect(await listed(`clientId=${client.id}&kind=claim_link&status=kept`)).toHaveLength(1);
    const { body } = await operator('GET', `/mails?clientId=${client.id}&limit=1`);
    expect(body.data).toHaveLength(1);
    expect(await listed(`clientId=${client.id}&limit=1&cursor=${body.nextCursor}`)).toHaveLength(1);
    for (const query of ['status=lost', 'kind=x', 'to=nobody', 'limit=0', 'cursor=x'])
      expect((await operator('GET', `/mails?${query}`)).status).toBe(400);
  });

  test('that were kept are sent, by whoever says so; without a mail server they are kept again', async () => {
    await client.payout(payee.id, { reason: 'mock:claim' });
    await mailsTo(payee.email, 1);
    const [mail] = await listed(`clientId=${client.id}`);
    const sent = await operator('POST', `/mails/${mail.id}/send`, {});
    expect(sent).toMatchObject({ status: 200, body: { id: mail.id, status: 'queued', endedAt: null } });
    expect((await operator('GET', `/mails/${mail.id}`)).body).toMatchObject({ id: mail.id, to: payee.email });
    expect((await operator('GET', `/mails/${payee.id}`)).body.error).toBe('mail_not_found');
    const [again] = await mailsTo(payee.email, 1);
    expect(again.text).toMatch(/\/claim\//);
    const [after] = await listed(`clientId=${client.id}`);
    expect(after.lastError).toContain('SMTP_URL');
    const { body } = await operator('GET', `/audit?clientId=${client.id}&limit=20`);
    const lines = body.data.filter(({ target }: Json) => target === mail.id);
    expect(lines.map(({ action }: Json) => action)).toEqual(['mail.sent']);
  });

  test('that nobody wrote are not sent', async () => {
    const missing = await operator('POST', `/mails/${randomUUID()}/send`, {});
    expect([missing.status, missing.body.error]).toEqual([404, 'mail_not_found']);
  });
});
