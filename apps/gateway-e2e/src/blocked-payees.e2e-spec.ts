/** A payee whom the operator blocks while money waits for them: no page asks where it goes, and none sends it there. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from './harness/api';
import type { Page } from './harness/browse';
import type { Browser } from './harness/wallet';
import { enter, walletOpenedBy } from './harness/withdrawal';

const ADDRESS = 'mock_ada';
const ON_HOLD = 'Payments to you are on hold';

describe('a payee who is blocked', () => {
  let client: ApiClient;
  let payee: Json;
  let payout: Json;
  let browser: Browser;
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons' });
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    payout = (await client.payout(payee.id, { reason: 'mock:swap' })).body;
    browser = await walletOpenedBy(client, payee);
  });

  const place = (): string => `/portal/payments/${payout.id}`;
  const status = async (): Promise<string> => (await client.get(`/payouts/${payout.id}`)).body.status;
  const block = (blocked: boolean) => operator('PATCH', `/payees/${payee.id}`, { blocked, blockReason: 'looked into' });
  const shown = (): Promise<Page> =>
    eventually(
      () => enter(browser, payout.id, ADDRESS),
      ({ text }) => text.includes('Is this your address?'),
    );

  test('says nowhere where their money goes, and it goes nowhere, until they are blocked no more', async () => {
    const before = await shown();
    await block(true);
    const asked = await browser.get(place());
    expect(asked.text).toContain(ON_HOLD);
    expect(asked.text).not.toContain('Where should it go?');
    const sent = await browser.press(before, `${place()}/send`);
    expect([sent.status, sent.text]).toEqual([409, expect.stringContaining(ON_HOLD)]);
    expect(await status()).toBe('submitted');
    await block(false);
    expect((await browser.press(await shown(), `${place()}/send`)).headers.get('location')).toBe(`${place()}/sent`);
    expect(await eventually(status, (now) => now === 'paid')).toBe('paid');
  });
});
