/** What a payee said yes to is what moves: the sum that they saw, to the account that they saw, while nothing stands against it. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from './harness/api';
import { browse, type Page } from './harness/browse';
import { balanceOf, owe } from './harness/owed';
import { type Browser, mailsTo, walletOf } from './harness/wallet';

describe('a withdrawal from a wallet', () => {
  let client: ApiClient;
  let payee: Json;
  let browser: Browser;
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons' });
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    browser = await walletOf(client, payee);
  });
  const askedAfterAnHour = async (): Promise<Page> => {
    await client.post('/test/clock', { advanceSeconds: 3_601 });
    return browser.get('/portal/withdraw');
  };

  test('asks once more if it is another amount by the time of the yes', async () => {
    await owe(client, payee.id, [5_000]);
    const asked = await browser.get('/portal/withdraw');
    await owe(client, payee.id, [1_000]);
    const changed = await browser.press(asked, '/portal/withdraw');
    expect([changed.status, changed.text]).toEqual([
      409,
      expect.stringMatching(/The amount or the account has changed[^]*\$60\.00/),
    ]);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 6_000, landedCents: 0 });
    expect((await browser.press(changed, '/portal/withdraw')).headers.get('location')).toBe('/portal?withdrawn=all');
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 0, landedCents: 6_000 });
  });

  test('asks once more if it would go to another account by the time of the yes, and not if that is the same', async () => {
    const adopts = (providerAccountId: string) =>
      client.post(`/payees/${payee.id}/methods`, { provider: 'custodial_a', providerAccountId });
    const [first, second] = [`acct_${randomUUID()}`, `acct_${randomUUID()}`] as const;
    await adopts(first);
    await owe(client, payee.id, [5_000]);
    const asked = await browser.get('/portal/withdraw');
    expect(asked.text).not.toContain(first);
    await adopts(second);
    const changed = await browser.press(asked, '/portal/withdraw');
    expect([changed.status, changed.text]).toEqual([409, expect.stringContaining('the account has changed')]);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 5_000, landedCents: 0 });
    await adopts(second);
    expect((await browser.press(changed, '/portal/withdraw')).headers.get('location')).toBe('/portal?withdrawn=all');
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 0, landedCents: 5_000 });
  });

  test('moves nothing of a payee who was blocked meanwhile', async () => {
    await owe(client, payee.id, [5_000]);
    const asked = await browser.get('/portal/withdraw');
    await operator('PATCH', `/payees/${payee.id}`, { blocked: true, blockReason: 'looked into' });
    for (const page of [await browser.get('/portal/withdraw'), await browser.press(asked, '/portal/withdraw')])
      expect([page.status, page.text]).toEqual([409, expect.stringContaining('Payments to you are on hold')]);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 5_000 });
  });

  test('that needs a new link has it sent once more by a button, and says that it was', async () => {
    const sent = await browser.press(await askedAfterAnHour(), '/portal/link');
    const again = await browser.press(sent, '/portal/link');
    expect([sent.text, again.text]).toEqual([
      expect.stringContaining('Send it again'),
      expect.stringContaining('We sent it again'),
    ]);
    expect(again.text).not.toContain('Send it again');
    await mailsTo(payee.email, 3);
  });

  test('says with how much, or when, before anybody taps', async () => {
    await owe(client, payee.id, [5_000]);
    const limited = (withdrawPolicy: Json) => operator('PATCH', `/clients/${client.id}`, { withdrawPolicy });
    const page = await browser.get('/portal/withdraw');
    await limited({ minCents: 6_000 });
    const least = 'You can withdraw it once it is at least $60.00.';
    for (const { text } of [await browser.get('/portal'), await browser.press(page, '/portal/withdraw')])
      expect(text).toContain(least);
    await limited({ minIntervalSeconds: 86_400 });
    await browser.press(await browser.get('/portal/withdraw'), '/portal/withdraw');
    await owe(client, payee.id, [700]);
    const { text } = await browser.get('/portal');
    expect(text).toMatch(/The next one is possible after .*UTC\./);
    expect(text).not.toContain('href="/portal/withdraw"');
  });

  test('of a client without funds sends nothing yet, and says so', async () => {
    const prepaid = await newClient({ prepaid: true });
    const theirs = await prepaid.payablePayee({ email: `${randomUUID()}@example.com` });
    const wallet = await walletOf(prepaid, theirs);
    await owe(prepaid, theirs.id, [5_000]);
    const done = await wallet.press(await wallet.get('/portal/withdraw'), '/portal/withdraw');
    expect(done.headers.get('location')).toBe('/portal?withdrawn=none');
    expect((await wallet.get('/portal?withdrawn=none')).text).toContain('Nothing was sent this time:');
    expect(await balanceOf(prepaid, theirs.id)).toMatchObject({ withdrawableCents: 5_000 });
  });

  test('that was not claimed in time is told as theirs to withdraw again, in the wallet and on its own page', async () => {
    await owe(client, payee.id, [5_000], { reason: 'mock:claim' });
    await browser.press(await browser.get('/portal/withdraw'), '/portal/withdraw');
    const [claim] = (await mailsTo(payee.email, 2)).filter(({ kind }) => kind === 'claim_link');
    await client.post('/test/clock', { advanceSeconds: 31 * 86_400 });
    const isOwed = ({ withdrawableCents }: Json): boolean => withdrawableCents === 5_000;
    await eventually(() => balanceOf(client, payee.id), isOwed);
    const said = 'It was not claimed in time, or was taken back. The money is still yours.';
    expect((await (await walletOf(client, payee, 3)).get('/portal')).text).toContain(said);
    const page = await browse(/https?:\/\/\S+\/claim\/\S+/.exec(claim?.text)?.[0] ?? '');
    expect(page.text).toContain(said);
    expect(page.text).toContain('Send me the link');
  });

  test('that the bank sent back is told as theirs to withdraw again, and as replaced once they did', async () => {
    await owe(client, payee.id, [5_000], { reason: 'mock:return' });
    await browser.press(await browser.get('/portal/withdraw'), '/portal/withdraw');
    const again = 'Your bank sent it back. Check where you are paid, then withdraw again.';
    const wallet = (said: string): Promise<Page> =>
      eventually(
        () => browser.get('/portal'),
        ({ text }) => text.includes(said),
      );
    expect((await wallet(again)).text).toContain(again);
    await browser.press(await browser.get('/portal/withdraw'), '/portal/withdraw');
    const replaced =
      'It did not go through. Look for the money in a later payment. Not there? Contact Brass &amp; Sons.';
    expect((await wallet(replaced)).text).toContain(replaced);
  });
});
