/** The mail about waiting money leads into the wallet: by one more mail, so that whoever finds the first one learns nothing. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient } from './harness/api';
import { browse, directive } from './harness/browse';
import { owedRow, payoutOf, push } from './harness/owed';
import { Browser, linkIn, mailsTo, WAITING_LINK, walletOf } from './harness/wallet';

describe('the link in a mail about waiting money', () => {
  let client: ApiClient;
  let payee: Json;
  let row: Json;
  let link: string;
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons' });
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    const { body } = await push(client, [owedRow(payee.id, { amountCents: 4_321 })], { sendEmail: true });
    row = body.results[0].disbursement;
    const [mail] = await mailsTo(payee.email, 1);
    link = WAITING_LINK.exec(mail.text)?.[0] ?? '';
  });

  test('shows nothing, and has a link mailed by which the money is withdrawn', async () => {
    const page = await browse(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Brass &amp; Sons');
    expect(page.text).not.toMatch(new RegExp(`43\\.21|${payee.email}|${payee.name}`));
    expect(directive(page, 'frame-ancestors')).toBe("'none'");
    const browser = new Browser();
    const sent = await browser.press(page, new URL(link).pathname);
    expect([sent.status, sent.text.includes('Check your e-mail')]).toEqual([200, true]);
    const [newest] = await mailsTo(payee.email, 2);
    await browser.open(linkIn(newest));
    const asked = await browser.get('/portal/withdraw');
    expect(asked.text).toContain('43.21');
    expect((await browser.press(asked, '/portal/withdraw')).headers.get('location')).toBe('/portal?withdrawn=all');
    expect(await payoutOf(client, row)).toMatchObject({ status: 'paid', amountCents: 4_321, source: 'portal' });
  });

  test('leads whoever has that wallet open straight there, and nobody else', async () => {
    const path = new URL(link).pathname;
    const [theirs, others] = [new Browser(), new Browser()];
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const [mail] = await mailsTo(payee.email, 2);
    await theirs.open(linkIn(mail as Json));
    expect((await theirs.get(path)).headers.get('location')).toBe('/portal');
    const other = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    await client.post(`/payees/${other.id}/portal-link`, {});
    const [another] = await mailsTo(other.email, 1);
    await others.open(linkIn(another as Json));
    const page = await others.get(path);
    expect([page.status, page.text.includes('Send me the link')]).toEqual([200, true]);
  });

  test('leads into no wallet that closed with the address of before: it asks for a link of the new one', async () => {
    const quick = await newClient({ name: 'Brass & Sons', coolDownSeconds: 0 });
    const bob = await quick.payablePayee({ email: `${randomUUID()}@example.com` });
    const browser = await walletOf(quick, bob);
    const email = `${randomUUID()}@example.com`;
    expect((await quick.post('/payees', { externalId: bob.externalId, email })).status).toBe(200);
    await push(quick, [owedRow(bob.id, { amountCents: 4_321 })], { sendEmail: true });
    const mail = (await mailsTo(email, 1)).find(({ text }) => WAITING_LINK.test(text as string)) as Json;
    const page = await browser.get(new URL(WAITING_LINK.exec(mail.text)?.[0] ?? '').pathname);
    expect([page.status, page.text.includes('Send me the link')]).toEqual([200, true]);
  });

  test('mails no more than any other way into the wallet, and nothing for another site', async () => {
    const path = new URL(link).pathname;
    expect((await new Browser().post(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const clicks = await Promise.all(Array.from({ length: 5 }, () => new Browser().post(path)));
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    expect(await mailsTo(payee.email, 4)).toHaveLength(4);
  });

  test('keeps nobody from the links that their client, or their own wallet, has mailed to them', async () => {
    const path = new URL(link).pathname;
    const clicks = await Promise.all(Array.from({ length: 5 }, () => new Browser().post(path)));
    expect(clicks.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await client.post(`/payees/${payee.id}/portal-link`, {})).status).toBe(200);
    const browser = new Browser();
    const mails = await mailsTo(payee.email, 5);
    await browser.open(linkIn(mails[0] as Json));
    await client.post('/test/clock', { advanceSeconds: 3_601 });
    const stale = await browser.get('/portal/withdraw');
    expect((await browser.press(stale, '/portal/link')).status).toBe(200);
  });

  test('is good for thirty days, also of those that a test lets pass', async () => {
    await client.post('/test/clock', { advanceSeconds: 30 * 86_400 - 60 });
    expect((await browse(link)).status).toBe(200);
    await client.post('/test/clock', { advanceSeconds: 61 });
    expect([(await browse(link)).status, (await browse(link, 'POST')).status]).toEqual([404, 404]);
  });

  test('stays closed after a change of the address, however much time a test lets pass', async () => {
    await client.post('/payees', { externalId: payee.externalId, email: `${randomUUID()}@example.com` });
    await client.post('/test/clock', { advanceSeconds: 86_400 });
    expect((await browse(link)).status).toBe(404);
  });

  test('opens nothing once the address is another, nor if a character of it is', async () => {
    const other = link.replace(/.$/, '').replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));
    expect((await browse(`${other}A`)).status).toBe(404);
    await client.post('/payees', { externalId: payee.externalId, email: `${randomUUID()}@example.com` });
    expect((await browse(link)).status).toBe(404);
    expect((await new Browser().post(new URL(link).pathname)).status).toBe(404);
  });
});
