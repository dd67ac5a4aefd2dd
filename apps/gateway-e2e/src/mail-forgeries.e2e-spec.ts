/** Mails in whose names and reasons somebody hid a header, an address or a tag: none of it becomes one, in any mail that a payee gets. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, send, underTest } from './harness/api';
import { owedRow, push } from './harness/owed';
import { mailsTo } from './harness/wallet';

const HIDDEN = 'x\r\nBcc: eve@evil.test\r\n\r\n<a href="https://evil.test">www.evil.test</a>';
const KINDS = ['claim_link', 'details_changed', 'money_waiting', 'payout_needs_you', 'payout_returned', 'portal_link'];

describe('what a caller or an operator wrote', () => {
  let client: ApiClient;
  let mails: Json[];
  beforeAll(async () => {
    client = await newClient({ name: HIDDEN, brand: { name: HIDDEN.slice(0, 100) }, coolDownSeconds: 0 });
    const address = `${randomUUID()}@example.com`;
    const waits = await client.payee({ email: address, name: HIDDEN });
    await client.payout(waits.id, { reason: HIDDEN });
    const payee = (await client.post(`/test/payees/${waits.id}/onboarding`, { outcome: 'verified' })).body;
    await client.payout(payee.id, { reason: 'mock:claim', ref: HIDDEN });
    const { body } = await client.payout(payee.id, { reason: HIDDEN });
    await client.post(`/test/payouts/${body.id}/return`, {});
    await push(client, [owedRow(payee.id, { reason: HIDDEN })], { sendEmail: true });
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const method = { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` };
    await client.post(`/payees/${payee.id}/methods`, method);
    await client.post('/payees', { externalId: payee.externalId, name: `${HIDDEN} again` });
    mails = await mailsTo(address, KINDS.length);
  });
  const mailOf = (kind: string): Json => mails.find((mail) => mail.kind === kind);

  test('is in mails of every kind', () => {
    expect(mails.map(({ kind }) => kind).sort()).toEqual(KINDS);
  });

  test('keeps no warning away by other mails that were sent first', async () => {
    const address = `${randomUUID()}@example.com`;
    const payee = await client.payablePayee({ email: address });
    const method = { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` };
    await client.post(`/payees/${payee.id}/methods`, method);
    for (let mail = 0; mail < 12; mail += 1) await push(client, [owedRow(payee.id)], { sendEmail: true });
    const sent = async (): Promise<Json[]> =>
      (await send(`${underTest().urls[0]}/dev/mailbox`, 'GET', { accept: 'application/json' })).body.data.filter(
        (mail: Json) => mail.to === address && mail.status !== 'queued',
      );
    await eventually(sent, (all) => all.length === 12);
    await client.post('/payees', { externalId: payee.externalId, email: `${randomUUID()}@evil.test` });
    const all = await eventually(sent, (now) => now.some(({ kind }) => kind === 'details_changed'));
    expect(all.find(({ kind }) => kind === 'details_changed')).toMatchObject({ status: 'kept' });
  });

  test.each(KINDS)('becomes no header, no address, no link and no tag of it: %s', (kind) => {
    const { subject, text, html, to } = mailOf(kind);
    expect(to).toMatch(/^[\w-]+@example\.com$/);
    expect(subject).not.toMatch(/[\r\n<>@]|Bcc:/);
    expect(text).not.toMatch(/^(Bcc|To|From|Subject):/im);
    expect(text + html).not.toContain('evil.test');
    expect(html).not.toMatch(/<a (?![^>]*href="http:\/\/)/);
  });
});
