/** What the simulated Stripe does with money and keys, with every exchange held against the schema that Stripe publishes. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { ContractWatch, NO_SCHEMA, publishedSchema } from '#libs/provider-sandbox';
import { StripeSandbox } from './stripe-sandbox';
import { decodedForm } from './stripe-words';

const KEY = 'sk_of_the_simulated_platform';
const schema = publishedSchema('stripe');
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

const contract = (): ContractWatch | null =>
  schema === null
    ? null
    : new ContractWatch(schema, { unpublished: [], decode: decodedForm, closed: true, coerce: true });

interface Said {
  status: number;
  body: Record<string, unknown> & { data: Record<string, unknown>[]; error: { code: string } };
}

describe('the simulated Stripe', () => {
  let clock: FixedClock;
  let stripe: StripeSandbox;
  let url: string;
  let watch: ContractWatch | null;

  beforeEach(async () => {
    clock = new FixedClock();
    watch = contract();
    const balances = { eur: 10_000 };
    stripe = new StripeSandbox({
      ...{ secretKey: KEY, clock, balances },
      watch: (request, answer) => watch?.see(request, answer),
    });
    stripe.hasAccount({ id: 'acct_payee' });
    url = await stripe.start();
  });
  afterEach(async () => {
    await stripe.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  async function call(
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Said> {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': randomUUID(), ...headers },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Said['body'] };
  }

  const transfer = (amount: string, key: string = randomUUID()): Promise<Said> =>
    call(
      '/v1/transfers',
      { amount, currency: 'eur', destination: 'acct_payee', transfer_group: 'key-1', 'metadata[rail_key]': 'key-1' },
      { 'idempotency-key': key },
    );

  const payOut = (amount: string): Promise<Said> =>
    call(
      '/v1/payouts',
      { amount, currency: 'eur', statement_descriptor: 'Payer', 'metadata[rail_key]': 'key-1' },
      { 'stripe-account': 'acct_payee' },
    );

  const held = (): unknown[] => [stripe.state.balances.eur, stripe.state.accounts[0]?.balances.eur ?? 0];

  it('brings money to the account, and from there to the bank', async () => {
    const { body } = await transfer('2500');
    expect(body).toMatchObject({ object: 'transfer', amount: 2500, metadata: { rail_key: 'key-1' } });
    expect(held()).toEqual([7500, 2500]);
    expect((await payOut('2500')).body).toMatchObject({ status: 'pending', statement_descriptor: 'Payer' });
    expect(held()).toEqual([7500, 0]);
    const { body: payouts } = await call('/v1/payouts?limit=1', undefined, { 'stripe-account': 'acct_payee' });
    expect(payouts.data).toMatchObject([{ status: 'paid', metadata: { rail_key: 'key-1' } }]);
  });

  it('answers a key as before for a day, a refusal too, and pays once more after that', async () => {
    const first = await transfer('2500', 'one');
    expect(await transfer('2500', 'one')).toEqual(first);
    const refused = await transfer('9000', 'two');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'balance_insufficient']);
    stripe.state.balances.eur = 90_000;
    expect(await transfer('9000', 'two')).toEqual(refused);
    expect((await transfer('9001', 'two')).body.error.code).toBe('idempotency_error');
    clock.advance(86_401);
    await transfer('2500', 'one');
    expect(stripe.transfersOf('key-1')).toHaveLength(2);
  });

  it('gives back what a transfer brought, as long as it is there', async () => {
    const { body } = await transfer('2500');
    const path = `/v1/transfers/${String(body.id)}/reversals`;
    await payOut('2500');
    expect((await call(path, { amount: '2500' })).body.error.code).toBe('balance_insufficient');
    const [paid] = stripe.payoutsOf('key-1');
    if (paid) stripe.books.fails(paid, 'account_closed');
    expect((await call(path, { amount: '2500' })).body).toMatchObject({ object: 'transfer_reversal', amount: 2500 });
    expect(held()).toEqual([10_000, 0]);
    const { body: found } = await call('/v1/transfers?transfer_group=key-1');
    expect(found.data).toMatchObject([{ reversed: true, amount_reversed: 2500 }]);
  });

  it.each([
    [null, ['paid', null]],
    ['account_closed', ['failed', 'account_closed']],
  ])('tells of a payout that came back after it was paid by its event: %p', async (fails, wanted) => {
    await transfer('2500');
    await payOut('2500');
    const [paid] = stripe.payoutsOf('key-1');
    if (paid && fails !== null) stripe.books.fails(paid, fails);
    const mine = { 'stripe-account': 'acct_payee' };
    const { data: payouts } = (await call('/v1/payouts', undefined, mine)).body;
    expect([payouts[0]?.status, payouts[0]?.failure_code]).toEqual(wanted);
    const { data: events } = (await call('/v1/events?type=payout.paid', undefined, mine)).body;
    expect(events).toMatchObject([{ type: 'payout.paid', data: { object: { id: paid?.id, status: 'paid' } } }]);
  });

  it.each(['incomplete', 'pending', 'rejected'] as const)('pays nothing to an account that is %s', async (standing) => {
    stripe.hasAccount({ id: 'acct_other', standing });
    const form = { amount: '100', currency: 'eur', destination: 'acct_other' };
    expect((await call('/v1/transfers', form)).body.error.code).toBe('insufficient_capabilities_for_transfer');
    expect((await call('/v1/accounts/acct_other')).body).toMatchObject({ payouts_enabled: false });
  });

  it('knows neither the accounts of others nor their keys', async () => {
    expect((await call('/v1/accounts/acct_foreign')).status).toBe(403);
    expect((await call('/v1/balance', undefined, { authorization: 'Bearer sk_other' })).status).toBe(401);
    expect((await call('/v1/balance')).body.available).toEqual([{ currency: 'eur', amount: 10_000 }]);
  });

  if (schema === null) leaveOut(`nothing was held against Stripe's schema ${NO_SCHEMA}`, () => undefined);
  else
    it("complains about what is not in Stripe's schema", async () => {
      const form = { amount: '100', currency: 'eur', destination: 'acct_payee', note: 'made up' };
      await call('/v1/transfers', form);
      expect(watch?.complaints.splice(0)).toMatchObject([{ says: expect.stringContaining('"note"') as string }]);
    });
});
