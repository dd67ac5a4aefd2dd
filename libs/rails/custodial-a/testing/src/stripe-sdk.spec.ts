/** Stripe's own client speaks to the simulated Stripe, and is content: what neither of us made up is spoken alike. */
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { FixedClock } from '#libs/rail-kit/testing';
import { contractOf } from '#libs/provider-sandbox';
import type { StripePayout } from './stripe-books';
import { StripeSandbox } from './stripe-sandbox';
import { decodedForm } from './stripe-words';

const KEY = 'sk_test_of_the_simulated_platform';
const SECRETS = { platform: 'whsec_platform', connect: 'whsec_connect' };
/** The one that the rail pins; the client is made for a later one, and asks for what it is told to. */
const API_VERSION = '2023-08-16' as Stripe.LatestApiVersion;

describe("Stripe's own client", () => {
  let simulated: StripeSandbox;
  let stripe: Stripe;
  const options = { unpublished: ['/setup/e/'], exactly: ['/v1/account'], decode: decodedForm };
  const watch = contractOf('stripe', { ...options, closed: true, coerce: true });

  beforeAll(async () => {
    simulated = new StripeSandbox({
      ...{ secretKey: KEY, clock: new FixedClock(), secrets: SECRETS, balances: { eur: 10_000 } },
      watch: (request, answer) => watch?.see(request, answer),
    });
    const { hostname, port } = new URL(await simulated.start());
    stripe = new Stripe(KEY, {
      ...{ host: hostname, port, protocol: 'http', apiVersion: API_VERSION, maxNetworkRetries: 0, telemetry: false },
    });
  });
  afterAll(async () => {
    await simulated.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  const opened = (): Promise<Stripe.Account> =>
    stripe.accounts.create({
      ...{ type: 'express', country: 'DE', capabilities: { transfers: { requested: true } } },
      ...{ settings: { payouts: { schedule: { interval: 'manual' } } }, metadata: { payee: 'ada' } },
    });
  const verified = async (): Promise<string> => {
    const { id } = await opened();
    simulated.books.becomes(simulated.books.account(id), 'verified');
    return id;
  };
  const transfer = (destination: string, amount: number, group: string, idempotencyKey: string = randomUUID()) =>
    stripe.transfers.create(
      { amount, currency: 'eur', destination, transfer_group: group, metadata: { rail_key: group } },
      { idempotencyKey },
    );

  it('opens an account, leads its owner to the pages, and reads how it stands', async () => {
    const { id } = await opened();
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ payouts_enabled: false, metadata: { payee: 'ada' } });
    const { url } = await stripe.accountLinks.create({
      ...{ account: id, type: 'account_onboarding' },
      ...{ refresh_url: 'https://app.example/again', return_url: 'https://app.example/done' },
    });
    expect(await (await fetch(url)).text()).toContain('Get paid');
    const form = new URLSearchParams({ name: 'Ada', iban: 'DE89370400440532013000', outcome: 'approve' });
    await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ payouts_enabled: true, details_submitted: true });
    const ids: string[] = [];
    for await (const account of stripe.accounts.list({ limit: 1 })) ids.push(account.id);
    expect(ids).toContain(id);
  });

  it('moves money to the account and on to its bank, once for a key, and finds it again', async () => {
    const account = await verified();
    const key = randomUUID();
    const first = await transfer(account, 2_500, 'group-1', key);
    expect((await transfer(account, 2_500, 'group-1', key)).id).toBe(first.id);
    const { data } = await stripe.transfers.list({ transfer_group: 'group-1' });
    expect(data.map(({ id, amount }) => [id, amount])).toEqual([[first.id, 2_500]]);
    const metadata = { rail_key: 'group-1' };
    const paid = await stripe.payouts.create(
      { amount: 2_500, currency: 'eur', metadata },
      { stripeAccount: account, idempotencyKey: randomUUID() },
    );
    const listed = await stripe.payouts.list({ limit: 1 }, { stripeAccount: account });
    expect(listed.data).toMatchObject([{ id: paid.id, status: 'paid', metadata }]);
    const { available } = await stripe.balance.retrieve({}, { stripeAccount: account });
    expect(available.find(({ currency }) => currency === 'eur')?.amount ?? 0).toBe(0);
  });

  it('brings money back from the account', async () => {
    const account = await verified();
    const { id } = await transfer(account, 1_000, 'group-2');
    const reversal = await stripe.transfers.createReversal(id, { amount: 400 }, { idempotencyKey: randomUUID() });
    expect(reversal).toMatchObject({ object: 'transfer_reversal', amount: 400, transfer: id });
    const [known] = (await stripe.transfers.list({ transfer_group: 'group-2' })).data;
    expect(known).toMatchObject({ amount_reversed: 400, reversed: false });
  });

  it('is told what is wrong, in its own errors', async () => {
    const account = await verified();
    await expect(transfer(account, 1_000_000, 'group-3')).rejects.toMatchObject({ code: 'balance_insufficient' });
    const foreign = stripe.accounts.retrieve('acct_of_others');
    await expect(foreign).rejects.toBeInstanceOf(Stripe.errors.StripePermissionError);
    const key = randomUUID();
    await transfer(account, 100, 'group-3', key);
    await expect(transfer(account, 200, 'group-3', key)).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    const { hostname: host, port } = new URL(simulated.settings().CUSTODIAL_A_BASE_URL ?? '');
    const stranger = new Stripe('sk_test_of_others', { host, port, protocol: 'http', maxNetworkRetries: 0 });
    await expect(stranger.balance.retrieve()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  it('believes its notices, and none that was changed', async () => {
    const account = await verified();
    await transfer(account, 100, 'group-4');
    const [payout] = await paidOut(account);
    if (!payout) throw new Error('There is no payout.');
    const { body, headers } = simulated.notice({ type: 'payout.paid', payout });
    const signature = headers['stripe-signature'] ?? '';
    const now = Number(/t=([0-9]+)/.exec(signature)?.[1]);
    const read = (text: string): Stripe.Event =>
      stripe.webhooks.constructEvent(text, signature, SECRETS.connect, 300, undefined, now * 1000);
    expect(read(body)).toMatchObject({ account, data: { object: { id: payout.id } } });
    expect(() => read(body.replace(account, 'acct_of_others'))).toThrow(Stripe.errors.StripeSignatureVerificationError);
  });

  async function paidOut(account: string): Promise<StripePayout[]> {
    await stripe.payouts.create(
      { amount: 100, currency: 'eur', metadata: { rail_key: 'group-4' } },
      { stripeAccount: account, idempotencyKey: randomUUID() },
    );
    return simulated.payoutsOf('group-4');
  }
});
