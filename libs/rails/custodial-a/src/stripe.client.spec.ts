/** That the client's calls are ones Stripe publishes, and that its answers are told apart. */
import { FixedClock } from '#libs/rail-kit/testing';
import { ContractWatch, publishedSchema } from '#libs/provider-sandbox';
import { decodedForm, StripeSandbox } from '../testing/src';
import { StripeClient } from './stripe.client';

const MINE = 'acct_payee';
const TRANSFER = { amount: '2500', currency: 'eur', destination: MINE, transfer_group: 'key-1' };
const CREATE = { method: 'POST', path: '/v1/transfers' };

describe("Stripe's client", () => {
  let stripe: StripeSandbox;
  let client: StripeClient;
  let watch: ContractWatch | null;

  beforeEach(async () => {
    const schema = publishedSchema('stripe');
    const options = { unpublished: [], decode: decodedForm, closed: true, coerce: true };
    watch = schema === null ? null : new ContractWatch(schema, options);
    stripe = new StripeSandbox({
      ...{ secretKey: 'sk_simulated', clock: new FixedClock(), balances: { eur: 10_000 } },
      watch: (request, answer) => watch?.see(request, answer),
    });
    stripe.hasAccount({ id: MINE });
    client = new StripeClient({ baseUrl: await stripe.start(), timeoutMs: 1500, secretKey: 'sk_simulated' });
  });
  afterEach(async () => {
    await stripe.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  async function transferId(): Promise<string> {
    const answer = await client.transfer({ ...TRANSFER, 'metadata[rail_key]': 'key-1' }, 'one');
    if (answer.kind !== 'done') throw new Error(`It was ${answer.kind}.`);
    return answer.found.id;
  }

  it('pays by a transfer and a payout, and finds both again', async () => {
    const id = await transferId();
    const found = { metadata: { rail_key: 'key-1' } };
    expect(await client.transfers('key-1')).toMatchObject({ found: { data: [{ id, ...found }], has_more: false } });
    const form = { amount: '2500', currency: 'eur', statement_descriptor: 'Payer', 'metadata[rail_key]': 'key-1' };
    expect(await client.payOut(MINE, form, 'two')).toMatchObject({ kind: 'done', found: { status: 'pending' } });
    expect(await client.payouts(MINE, 0, null)).toMatchObject({ found: { data: [{ status: 'paid', ...found }] } });
    const [payout] = stripe.payoutsOf('key-1');
    const told = { data: { object: { id: payout?.id } } };
    expect(await client.paidEvents(MINE, 0, null)).toMatchObject({ found: { data: [told] } });
  });

  it('pulls a transfer back, reads balances and accounts', async () => {
    const answer = await client.reverse(await transferId(), { amount: '2500' }, 'three');
    expect(answer).toMatchObject({ kind: 'done', found: { amount: 2500 } });
    expect(await client.balance()).toMatchObject({ found: { available: [{ amount: 10_000, currency: 'eur' }] } });
    expect(await client.account(MINE)).toMatchObject({ found: { id: MINE, payouts_enabled: true } });
    const foreign = { kind: 'rejected', status: 403, problem: { error: { code: 'account_invalid' } } };
    expect(await client.account('acct_foreign')).toMatchObject(foreign);
  });

  it.each([
    [{ effect: 'cut_after' } as const, 'unclear', 1],
    [{ effect: 'server_error' } as const, 'unclear', 0],
    [{ effect: 'garbage' } as const, 'unclear', 0],
    [{ effect: 'too_many', seconds: 7 } as const, 'later', 0],
  ])('after %p it says what it knows, and the same key is one transfer', async (fault, kind, done) => {
    stripe.faults.ask({ ...fault, match: CREATE });
    expect((await client.transfer(TRANSFER, 'one')).kind).toBe(kind);
    expect(stripe.transfersOf('key-1')).toHaveLength(done);
    expect((await client.transfer(TRANSFER, 'one')).kind).toBe('done');
    expect(stripe.transfersOf('key-1')).toHaveLength(1);
  });
});
