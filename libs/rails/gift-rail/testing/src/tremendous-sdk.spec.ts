/** Tremendous's own client speaks to the simulated Tremendous, and is content: what neither of us made up is spoken alike. */
import { randomUUID } from 'node:crypto';
import {
  Configuration,
  type CreateOrderRequest,
  FundingSourcesApi,
  OrdersApi,
  RewardsApi,
  WebhooksApi,
} from 'tremendous';
import { FixedClock } from '#libs/rail-kit/testing';
import { contractOf } from '#libs/provider-sandbox';
import { TremendousSandbox } from './tremendous-sandbox';

const KEY = 'TEST_key';

describe("Tremendous's own client", () => {
  let tremendous: TremendousSandbox;
  let configuration: Configuration;
  const watch = contractOf('tremendous', { below: '/api/v2', unpublished: ['/rewards/payout/'], closed: true });

  beforeAll(async () => {
    tremendous = new TremendousSandbox({
      ...{ apiKey: KEY, webhookKey: 'hook', clock: new FixedClock(), hundredths: 10_000 },
      watch: (request, answer) => watch?.see(request, answer),
    });
    configuration = new Configuration({ basePath: `${await tremendous.start()}/api/v2`, accessToken: KEY });
  });
  afterAll(async () => {
    await tremendous.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  const wanted = (changes: object = {}): CreateOrderRequest => ({
    external_id: randomUUID(),
    payment: { funding_source_id: 'BALANCE' },
    reward: {
      campaign_id: tremendous.state.campaigns[0],
      value: { denomination: 10.05, currency_code: 'USD' },
      recipient: { name: 'Ada', email: 'ada@example.org' },
      delivery: { method: 'LINK' },
      ...changes,
    },
  });

  it('makes an order once, finds it by its name, and reads what became of it', async () => {
    const orders = new OrdersApi(configuration);
    const asked = wanted();
    const first = await orders.createOrder(asked);
    const again = await orders.createOrder(asked);
    expect([first.status, again.status]).toEqual([200, 201]);
    const { id } = first.data.order;
    expect(again.data.order).toMatchObject({ id, status: 'EXECUTED' });
    expect((await orders.getOrder(id)).data.order).toMatchObject({ payment: { subtotal: 10.05, fees: 0 } });
    const listed = await orders.listOrders(undefined, undefined, asked.external_id ?? '');
    expect(listed.data.orders).toMatchObject([{ id, rewards: [{ value: { denomination: 10.05 } }] }]);
  });

  it('makes a link, on whose page the reward is taken: and is told nothing of that', async () => {
    const rewards = new RewardsApi(configuration);
    const { data } = await new OrdersApi(configuration).createOrder(wanted());
    const id = data.order.rewards?.[0]?.id ?? '';
    const before = (await rewards.getReward(id)).data;
    const { link = '' } = (await rewards.generateRewardLink(id)).data.reward;
    expect(await (await fetch(link)).text()).toContain('10.05 USD');
    const page = await fetch(link, { method: 'POST', body: new URLSearchParams({ product: 'Gift card' }) });
    expect(await page.text()).toContain('Redeemed as Gift card');
    expect((await rewards.getReward(id)).data).toEqual(before);
    await expect(rewards.cancelReward(id)).rejects.toMatchObject({ response: { status: 422 } });
  });

  it('is told what is in the balance, and where notices go', async () => {
    const sources = new FundingSourcesApi(configuration);
    const [balance] = (await sources.listFundingSources()).data.funding_sources;
    expect(balance).toMatchObject({ method: 'balance', meta: { currency_code: 'USD' } });
    expect((await sources.getFundingSource('BALANCE')).data.funding_source).toEqual(balance);
    const hooks = new WebhooksApi(configuration);
    const { webhook } = (await hooks.createWebhook({ url: 'http://127.0.0.1:1/notices' })).data;
    expect(webhook).toMatchObject({ private_key: 'hook' });
    expect((await hooks.listWebhooks()).data.webhooks).toEqual([webhook]);
    tremendous.tellsAt(null);
  });

  it('is told what is wrong, in its own words', async () => {
    const orders = new OrdersApi(configuration);
    const refused = (status: number) => ({ response: { status, data: { errors: { message: expect.any(String) } } } });
    const value = { denomination: 1_000, currency_code: 'USD' };
    await expect(orders.createOrder(wanted({ value }))).rejects.toMatchObject(refused(402));
    await expect(orders.createOrder(wanted({ campaign_id: 'NONE' }))).rejects.toMatchObject(refused(422));
    await expect(orders.getOrder('NONE')).rejects.toMatchObject(refused(404));
    const stranger = new Configuration({ ...configuration, accessToken: 'of-others' });
    await expect(new OrdersApi(stranger).listOrders()).rejects.toMatchObject(refused(401));
  });
});
