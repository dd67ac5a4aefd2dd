/** What Tremendous lists lags behind an order that it took: its rows are not paid once more for that. */
import { eventually, type Json, operator } from '../harness/api';
import { GiftPayouts, RAIL } from '../harness/gift-payouts';
import { owe, withdraw } from '../harness/owed';
import { RailRun } from '../harness/rail-run';

const LIST = { method: 'GET', path: '/api/v2/orders' };

describe('gift_rail, while what Tremendous lists lags behind', () => {
  let run: RailRun;
  let gifts: GiftPayouts;

  beforeAll(async () => {
    run = await RailRun.start(RAIL, { GIFT_RAIL_TIMEOUT_MS: '2000' });
    gifts = new GiftPayouts(run);
  });
  afterAll(() => run.stop());

  const listed = async (name: string): Promise<unknown> => {
    const { GIFT_RAIL_API_KEY: key, GIFT_RAIL_BASE_URL: url } = await run.sandbox.settings();
    const answer = await fetch(`${url as string}/api/v2/orders?external_id=${name}`, {
      headers: { authorization: `Bearer ${key as string}` },
    });
    return answer.json();
  };
  const reviewed = (id: string, orders: number): Promise<Json[]> =>
    eventually(
      () => gifts.ordersOf(id),
      (found) => found.length === orders,
    );

  it('pays what is owed, and no more', async () => {
    const { hundredths } = await run.sandbox.books(RAIL);
    const ada = await gifts.person();
    await run.does('review', { email: ada.email });
    await owe(run.client, ada.id, [1_000], { currency: 'EUR' });
    await withdraw(run.client, ada.id);
    const [{ id }] = (await run.client.get(`/payouts?payeeId=${ada.id}`)).body.data;
    const [first] = await reviewed(id, 1);
    await run.does('fund', { hundredths: 0 });
    await run.does('approve', { order: first?.id });
    await run.reads(id, 'failed');
    await run.does('fund', { hundredths });
    const before = { status: 200, body: await listed(first?.externalId) };
    await operator('POST', `/payouts/${id}/retry`);
    const second = (await reviewed(id, 2)).find(({ externalId }) => externalId.endsWith(':2'));
    // A copy of the books from before the second order answers for some seconds.
    await run.sandbox.fault(RAIL, { effect: 'answer', match: LIST, answer: before, times: 1_000 });
    await run.does('approve', { order: second?.id });
    await operator('POST', '/jobs/reconcile/run');
    await owe(run.client, ada.id, [5], { currency: 'EUR' });
    await withdraw(run.client, ada.id);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await run.sandbox.forgetFaults(RAIL);
    const { orders } = await run.sandbox.books(RAIL);
    for (const { id: order, status: stands } of orders as Json[])
      if (stands === 'PENDING APPROVAL') await run.does('approve', { order });
    const executed = ((await run.sandbox.books(RAIL)).orders as Json[]).filter(({ status: is }) => is === 'EXECUTED');
    const moved = executed.reduce((sum, { reward }) => sum + Number(reward.hundredths), 0);
    expect(moved).toBeLessThanOrEqual(1_005);
  });
});
