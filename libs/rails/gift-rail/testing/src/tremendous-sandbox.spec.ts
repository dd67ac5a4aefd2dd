/** What the simulated Tremendous does with money, names and links, with every exchange held against the schema that it publishes. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FixedClock } from '#libs/rail-kit/testing';
import { contractOf, type ContractWatch, NO_SCHEMA } from '#libs/provider-sandbox';
import { TremendousSandbox } from './tremendous-sandbox';

const KEY = 'TEST_key';
const contract = (): ContractWatch | null =>
  contractOf('tremendous', { below: '/api/v2', unpublished: ['/rewards/payout/'], closed: true });
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

interface Said {
  status: number;
  // eslint-disable-next-line no-restricted-syntax -- answers of all shapes: what is missing shows in the assertion
  body: any;
}

describe('the simulated Tremendous', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tremendous-'));
  let file: string;
  let tremendous: TremendousSandbox;
  let url: string;
  let watch: ContractWatch | null;

  beforeEach(async () => {
    watch = contract();
    file = join(directory, `${randomUUID()}.json`);
    tremendous = simulated();
    url = await tremendous.start();
  });
  afterEach(async () => {
    await tremendous.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const simulated = (): TremendousSandbox =>
    new TremendousSandbox({
      ...{ apiKey: KEY, webhookKey: 'hook', clock: new FixedClock(), file, hundredths: 10_000 },
      watch: (request, answer) => watch?.see(request, answer),
    });

  async function call(method: string, path: string, asked?: object, key = KEY): Promise<Said> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = asked === undefined ? {} : { body: JSON.stringify(asked) };
    const response = await fetch(`${url}/api/v2${path}`, { method, headers, ...body });
    return { status: response.status, body: await response.json() };
  }
  const create = (changes: object = {}, reward: object = {}): Promise<Said> =>
    call('POST', '/orders', {
      ...{ external_id: 'mine', payment: { funding_source_id: 'BALANCE' } },
      reward: {
        ...{ campaign_id: tremendous.state.campaigns[0], value: { denomination: 10.05, currency_code: 'USD' } },
        ...{ recipient: { email: 'ada@example.org' }, delivery: { method: 'LINK' } },
        ...reward,
      },
      ...changes,
    });
  const balance = (): number => tremendous.state.hundredths;

  it('takes the money of an order once, under a name that is known again after a restart', async () => {
    const first = await create();
    expect(first).toMatchObject({ status: 200, body: { order: { status: 'EXECUTED', external_id: 'mine' } } });
    await tremendous.stop();
    tremendous = simulated();
    url = await tremendous.start();
    expect(await create()).toMatchObject({ status: 201, body: { order: { id: first.body.order.id } } });
    expect(await create({}, { value: { denomination: 10.06, currency_code: 'USD' } })).toMatchObject({ status: 409 });
    expect([balance(), tremendous.state.orders.length]).toEqual([8_995, 1]);
  });

  it('makes nothing of what it turned away, for lack of funds as well', async () => {
    tremendous.fund(1_004);
    expect(await create()).toMatchObject({ status: 402 });
    tremendous.fund(1_005);
    expect(await create()).toMatchObject({ status: 200 });
    expect(balance()).toBe(0);
  });

  it.each([
    [{ payment: { funding_source_id: 'CARD' } }, {}, { payment: {} }],
    [{}, { campaign_id: 'NONE' }, { reward: { campaign_id: 'is unknown' } }],
    [{}, { recipient: { email: 'nowhere' } }, { reward: { recipient: {} } }],
    [{}, { value: { denomination: 1.005, currency_code: 'USD' } }, { reward: { value: {} } }],
    [{}, { value: { denomination: 1.5, currency_code: 'JPY' } }, { reward: { value: {} } }],
    [{}, { value: { denomination: 0, currency_code: 'USD' } }, { reward: { value: {} } }],
  ])('turns away %p with %p, and mirrors what is wrong', async (changes, reward, payload) => {
    expect(await create(changes, reward)).toMatchObject({ status: 422, body: { errors: { payload } } });
    expect(tremendous.state.orders).toEqual([]);
  });

  it('knows nobody with another key, and no order that was not made', async () => {
    expect((await call('GET', '/orders', undefined, 'of-others')).status).toBe(401);
    for (const path of ['/orders/NONE', '/rewards/NONE', '/funding_sources/NONE'])
      expect((await call('GET', path)).status).toBe(404);
  });

  it('gives back what is cancelled, unless it was redeemed', async () => {
    const { order } = (await create()).body;
    tremendous.deeds.cancel?.({ order: order.id, kept: 5 });
    expect(balance()).toBe(9_995);
    const { body } = await call('GET', `/orders/${order.id}`);
    expect(body.order).toMatchObject({ status: 'CANCELED', payment: { refund: { total: 10, currency_code: 'USD' } } });
    await create({ external_id: 'other' });
    tremendous.deeds.redeem?.({ order: 'other' });
    expect(() => tremendous.deeds.cancel?.({ order: 'other' })).toThrow('redeemed');
  });

  it('waits for approval where somebody asked for that, and pays then if it can', async () => {
    tremendous.deeds.review?.({ email: 'ada@example.org' });
    const answers = [await create(), await create({ external_id: 'second' }), await create({ external_id: 'third' })];
    for (const { body } of answers) expect(body.order).toMatchObject({ status: 'PENDING APPROVAL' });
    expect(balance()).toBe(10_000);
    tremendous.deeds.approve?.({ order: 'mine' });
    tremendous.deeds.reject?.({ order: 'second' });
    tremendous.deeds.fund?.({ hundredths: 0 });
    tremendous.deeds.approve?.({ order: 'third' });
    expect(tremendous.state.orders.map(({ status }) => status)).toEqual(['EXECUTED', 'CANCELED', 'FAILED']);
  });

  it('shows a page to whoever has a link, whichever of them it is', async () => {
    const { order } = (await create({}, { delivery: { method: 'LINK', meta: { sender_name: 'A <b>' } } })).body;
    const [{ id, delivery }] = order.rewards;
    const second = (await call('POST', `/rewards/${id}/generate_link`)).body.reward.link;
    expect(second).not.toBe(delivery.link);
    for (const link of [delivery.link, second])
      expect(await (await fetch(link)).text()).toContain('From A &#60;b&#62;</p><h1>10.05 USD');
    const none = await fetch(`${url}/rewards/payout/${'0'.repeat(24)}`);
    expect(none.status).toBe(404);
    await fetch(second, { method: 'POST', body: new URLSearchParams({ product: 'none such' }) });
    expect(tremendous.state.orders[0]?.reward.redeemed).toBeNull();
    await fetch(second, { method: 'POST', body: new URLSearchParams({ product: 'PayPal' }) });
    expect(tremendous.state.orders[0]?.reward.redeemed).toMatchObject({ as: 'PayPal' });
  });

  it('signs what it tells with the key of the webhook', async () => {
    await create();
    const [order] = tremendous.state.orders;
    if (!order) throw new Error('There is no order.');
    const { body, headers } = tremendous.notice({ event: 'REWARDS.CANCELED', order });
    const signature = createHmac('sha256', 'hook').update(body).digest('hex');
    expect(headers['tremendous-webhook-signature']).toBe(`sha256=${signature}`);
    expect(JSON.parse(body)).toMatchObject({ payload: { resource: { id: order.reward.id, type: 'rewards' } } });
  });

  if (contract() === null) leaveOut(`nothing was held against it ${NO_SCHEMA}`, () => undefined);
});
