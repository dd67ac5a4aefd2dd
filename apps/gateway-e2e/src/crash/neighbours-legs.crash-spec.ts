/** Adyen forbids a call for one account alone: what waits there keeps nobody else's payouts back. */
import { randomUUID } from 'node:crypto';
import { type Json } from '../harness/api';
import { readPayout } from '../harness/money';
import { RailRun } from '../harness/rail-run';

const RAIL = 'custodial_b';
const NO = { type: 'https://docs.adyen.com/errors/forbidden', title: 'Forbidden', detail: 'Not for this account.' };

describe('custodial_b, when the key may not do one call for one account', () => {
  let run: RailRun;

  beforeAll(async () => {
    run = await RailRun.start(RAIL, { CUSTODIAL_B_TIMEOUT_MS: '2500' });
  });
  afterAll(() => run.stop());

  it('pays the others, as soon as ever', async () => {
    const person = (): Promise<Json> => run.person(`AH_${randomUUID()}`);
    const [ada, grace] = [await person(), await person()];
    const { accounts } = await run.sandbox.books(RAIL);
    const { id: account } = (accounts as Json[]).find(({ holderId }) => holderId === ada.account) as Json;
    const match = { method: 'POST', path: '/btl/v4/transfers', contains: `"balanceAccountId":"${account}","category":"bank"` };
    const answer = { status: 403, body: { ...NO, status: 403, errorCode: '00_403' } };
    await run.sandbox.fault(RAIL, { effect: 'answer', match, answer, times: 1_000 });
    await run.pay(ada, 2_005);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const { id } = await run.pay(grace, 2_005);
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    expect(await readPayout(run.client, id)).toMatchObject({ status: 'paid' });
  });
});
