/** Who is owed money gets one mail for each call that owes more, kept if there is no mail server. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, send, underTest } from '../harness/api';
import { owedRow, push } from '../harness/owed';

const mailbox = async (to: string): Promise<Json[]> => {
  const { body } = await send(`${underTest().urls[0]}/dev/mailbox`, 'GET', { accept: 'application/json' });
  return body.data.filter((mail: Json) => mail.to === to);
};

const kept = (to: string, count: number): Promise<Json[]> =>
  eventually(
    () => mailbox(to),
    (mails) => mails.length >= count && mails.every(({ status }) => status === 'kept'),
  );

describe('the mail about money that is waiting', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ name: 'Größe & <Söhne>' });
  });

  test('is written once for each payee and call, about what is new in it', async () => {
    const [one, two] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const rowTo = (email: string, more: Json = {}): Json => owedRow('', { payeeId: undefined, email, ...more });
    const old = rowTo(one, { amountCents: 77 });
    await push(client, [old]);
    const rows = [old, rowTo(one, { amountCents: 150 }), rowTo(one, { currency: 'JPY' }), rowTo(one), rowTo(two)];
    await push(client, rows, { sendEmail: true });
    await push(client, rows, { sendEmail: true });
    const [first] = await kept(one, 1);
    expect(first).toMatchObject({ kind: 'money_waiting', subject: 'Money from Größe & Söhne is waiting for you' });
    expect(first.text).toContain('  $11.50\n  ¥1,000\n');
    expect(first.html).toContain('Größe &amp; Söhne');
    await push(client, [rowTo(two, { amountCents: 5 })], { sendEmail: true });
    const mails = await kept(two, 2);
    expect(mails.map(({ text }) => /\$[0-9.]+/.exec(text)?.[0])).toEqual(['$0.05', '$10.00']);
    expect(await mailbox(one)).toHaveLength(1);
  });

  test('is not written unless it is asked for, nor where there is no address', async () => {
    const email = `${randomUUID()}@example.com`;
    const { id } = await client.payee({ email });
    const nobody = await client.payee({ email: null });
    await push(client, [owedRow(id)]);
    await push(client, [owedRow(id)], { sendEmail: false });
    expect((await push(client, [owedRow(nobody.id)], { sendEmail: true })).status).toBe(207);
    await push(client, [owedRow(id)], { sendEmail: true });
    expect(await kept(email, 1)).toHaveLength(1);
  });

  test('goes to one address a few times an hour, and the rest is on record as not sent', async () => {
    const email = `${randomUUID()}@example.com`;
    const { id } = await client.payee({ email, name: 'Your account is locked: https://evil.example' });
    for (let count = 0; count < 12; count += 1) await push(client, [owedRow(id)], { sendEmail: true });
    const mails = await eventually(
      () => mailbox(email),
      (all) => all.length === 12 && all.every(({ status }) => status !== 'queued'),
    );
    expect(mails.filter(({ status }) => status === 'kept')).toHaveLength(5);
    expect(mails.filter(({ status }) => status === 'limited')).toHaveLength(7);
    for (const { text, html } of mails) expect(text + html).not.toMatch(/evil|locked|https?:(?!\/\/\S+\/wallet\/)/);
    expect((await client.get(`/disbursements?payeeId=${id}`)).body.data).toHaveLength(12);
  });

  test('is shown to a browser as a page that runs nothing', async () => {
    const response = await fetch(`${underTest().urls[0]}/dev/mailbox`, { headers: { accept: 'text/html' } });
    expect(response.headers.get('content-type')).toContain('text/html');
    const text = await response.text();
    expect(text).toContain('Größe &amp; Söhne');
    expect(text).not.toContain('<Söhne>');
  });

  test('is found by its address there, opened as a mail program shows it, and leads on', async () => {
    const payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const [mail] = await kept(payee.email, 1);
    const at = (path: string, accept = 'text/html'): Promise<string> =>
      fetch(`${underTest().urls[0]}/dev/mailbox${path}`, { headers: { accept } }).then((answer) => answer.text());
    const [found, other] = [await at(`?q=${payee.email.slice(0, 20).toUpperCase()}`), await at('?q=nobody-has-this')];
    expect(found).toContain(`href="/dev/mailbox/${mail.id}"`);
    expect(found).toMatch(/<a href="https?:[^"]*\/portal\/open\/[\w-]{43}">/);
    expect(other).toContain('No mail has that');
    expect(await at(`/${mail.id}`)).toContain('Open my payments');
    expect(await at('/nothing')).toContain('mail_not_found');
  });
});
