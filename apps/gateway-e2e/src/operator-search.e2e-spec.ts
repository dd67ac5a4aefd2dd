/** Operators look for a payout by what its payee, its caller or its provider has in hand. */
import { type ApiClient, type Json, newClient, operator } from './harness/api';

describe('searching payouts', () => {
  test('finds a payout by what somebody has in hand of it, and its caller cannot', async () => {
    const [mine, others] = [await newClient(), await newClient()];
    const pay = async (client: ApiClient): Promise<Json> => {
      const payee = await client.payablePayee();
      const { body } = await client.payout(payee.id, { idempotencyKey: 'the same' });
      return (await operator('GET', `/payouts/${body.id}`)).body;
    };
    const [payout, another] = [await pay(mine), await pay(others)];
    const found = async (search: string): Promise<string[]> =>
      (await operator('GET', `/payouts?${search}`)).body.data.map(({ id }: Json) => id);
    expect(await found(`providerRef=${payout.providerRef}`)).toEqual([payout.id]);
    expect(await found(`railKey=${payout.railKey}`)).toEqual([payout.id]);
    expect(await found(`idempotencyKey=the%20same&clientId=${mine.id}`)).toEqual([payout.id]);
    expect(await found('idempotencyKey=the%20same')).toEqual(expect.arrayContaining([payout.id, another.id]));
    expect(await found(`railKey=${payout.railKey}&clientId=${others.id}`)).toEqual([]);
    expect((await mine.get(`/payouts?railKey=${payout.railKey}`)).body.error).toBe('invalid_request');
  });
});
