/** PayPal's own client speaks to the simulated PayPal, and is content: what neither of us made up is spoken alike. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { contractOf } from '#libs/provider-sandbox';
import { PaypalSandbox } from './paypal-sandbox';

interface Item {
  payout_item_id: string;
  transaction_status: string;
}
interface Told {
  batch_header: { payout_batch_id: string; batch_status: string };
  items?: Item[];
}
interface Asked<Found> {
  found?: Found;
}
interface Environment {
  baseUrl: string;
}
/** It comes without types: as far as it is used here. */
interface PaypalSdk {
  core: {
    PayPalEnvironment: new (id: string, secret: string, baseUrl: string, webUrl: string) => Environment;
    PayPalHttpClient: new (environment: Environment) => {
      execute<Found>(asked: Asked<Found>): Promise<{ statusCode: number; result: Found }>;
    };
  };
  payouts: {
    PayoutsPostRequest: new () => { requestBody(body: object): Asked<Told> };
    PayoutsGetRequest: new (batchId: string) => Asked<Told> & { page(page: number): Asked<Told> };
    PayoutsItemGetRequest: new (itemId: string) => Asked<Item>;
    PayoutsItemCancelRequest: new (itemId: string) => Asked<Item>;
  };
}
const { core, payouts } = jest.requireActual<PaypalSdk>('@paypal/payouts-sdk');

const APP = { clientId: 'app', clientSecret: 'secret of the app' };
const EMAIL = 'ada@example.org';

describe("PayPal's own client", () => {
  let paypal: PaypalSandbox;
  let url: string;
  let client: InstanceType<PaypalSdk['core']['PayPalHttpClient']>;
  const unpublished = ['/v1/oauth2/token', '/v1/notifications/certs/', '/claim/'];
  const watch = contractOf('paypal', { unpublished, closed: true });

  beforeAll(async () => {
    paypal = new PaypalSandbox({
      ...{ ...APP, webhookId: 'hook', clock: new FixedClock(), balances: { USD: 10_000 } },
      watch: (request, answer) => watch?.see(request, answer),
    });
    url = await paypal.start();
    client = clientOf(APP.clientId, APP.clientSecret);
  });
  afterAll(async () => {
    await paypal.stop();
    expect(watch?.complaints ?? []).toEqual([]);
  });

  const clientOf = (id: string, secret: string) =>
    new core.PayPalHttpClient(new core.PayPalEnvironment(id, secret, url, url));
  const sent = (value: string, sender_batch_id: string = randomUUID(), receiver = EMAIL) =>
    client.execute(
      new payouts.PayoutsPostRequest().requestBody({
        sender_batch_header: { sender_batch_id, email_subject: 'You have a payout' },
        items: [{ recipient_type: 'EMAIL', receiver, amount: { value, currency: 'USD' }, sender_item_id: 'mine' }],
      }),
    );
  const read = async (batchId: string): Promise<Told> =>
    (await client.execute(new payouts.PayoutsGetRequest(batchId).page(1))).result;
  const unclaimed = async (): Promise<string> => {
    const { result } = await sent('10.05');
    return (await read(result.batch_header.payout_batch_id)).items?.[0]?.payout_item_id ?? '';
  };
  const item = async (id: string): Promise<Item> =>
    (await client.execute(new payouts.PayoutsItemGetRequest(id))).result;

  it('pays a batch, and reads what became of it', async () => {
    paypal.register('eve@example.org');
    const { statusCode, result } = await sent('10.05', randomUUID(), 'eve@example.org');
    expect([statusCode, result.batch_header.batch_status]).toEqual([201, 'PENDING']);
    const { batch_header, items } = await read(result.batch_header.payout_batch_id);
    expect(batch_header).toMatchObject({ batch_status: 'SUCCESS', amount: { value: '10.05', currency: 'USD' } });
    expect(items).toMatchObject([{ transaction_status: 'SUCCESS', payout_item: { sender_item_id: 'mine' } }]);
  });

  it('takes back what nobody claimed, once', async () => {
    const id = await unclaimed();
    expect(await item(id)).toMatchObject({ transaction_status: 'UNCLAIMED' });
    const cancelled = await client.execute(new payouts.PayoutsItemCancelRequest(id));
    expect(cancelled.result).toMatchObject({ payout_item_id: id, transaction_status: 'RETURNED' });
    const again = client.execute(new payouts.PayoutsItemCancelRequest(id));
    await expect(again).rejects.toMatchObject({ statusCode: 400 });
  });

  it('asks for another token when its own was taken back', async () => {
    const id = await unclaimed();
    paypal.tokens.revoke();
    expect(await item(id)).toMatchObject({ transaction_status: 'UNCLAIMED' });
  });

  it('is told what is wrong, in its own errors', async () => {
    const says = (statusCode: number, name: string) => ({
      statusCode,
      message: expect.stringContaining(`"${name}"`) as string,
    });
    const batch = randomUUID();
    await sent('1.00', batch);
    await expect(sent('1.00', batch)).rejects.toMatchObject(says(400, 'USER_BUSINESS_ERROR'));
    await expect(sent('1.001')).rejects.toMatchObject(says(400, 'VALIDATION_ERROR'));
    await expect(read('NONE')).rejects.toMatchObject(says(404, 'RESOURCE_NOT_FOUND'));
    const stranger = clientOf('others', 'secret of others');
    const asked = stranger.execute(new payouts.PayoutsGetRequest('NONE'));
    await expect(asked).rejects.toMatchObject(says(401, 'invalid_client'));
  });
});
