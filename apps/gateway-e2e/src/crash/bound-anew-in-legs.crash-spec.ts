/**
 * Rails whose payouts take more than one call are bound to another account of their provider. What is sent in that very moment is sent with the new
 * account, and its second call follows; and what waits for its payee goes on once an admin who bound a wrong account binds the right one again
 * (points 1 and 3).
 */
import { randomUUID } from 'node:crypto';
import { eventually, type Json, operator } from '../harness/api';
import { query } from '../harness/database';
import { readPayout } from '../harness/money';
import { RailRun } from '../harness/rail-run';
import { newAddress, RAIL as SWAP, SwapPayouts } from '../harness/swap-payouts';
import { walletOpenedBy, withdrawTo } from '../harness/withdrawal';

const STRIPE = 'custodial_a';

describe('rails in legs that are bound anew', () => {
  let run: RailRun;
  let swap: SwapPayouts;

  beforeAll(async () => {
    run = await RailRun.start(STRIPE);
    await operator('PUT', '/routes', { routes: { DE: [STRIPE], IT: [SWAP] } });
    swap = new SwapPayouts(run.service, run.client);
  });
  afterAll(() => run.stop());

  /** All stand-ins are one account of their provider: the rail was bound to another one before. */
  const wasBound = (rail: string): Promise<Json[]> =>
    query(
      run.service.databaseUrl,
      `INSERT INTO rail_accounts (rail, account, mode, bound_at) VALUES ($1, 'another', 'sandbox', now())
       ON CONFLICT (rail) DO UPDATE SET account = 'another', rebound_at = now() + interval '5 seconds'`,
      [rail],
    );
  const bind = async (rail: string): Promise<void> => {
    const { status, body } = await operator('POST', `/rails/${rail}/rebind`);
    expect([status, body]).toEqual([200, expect.objectContaining({ mode: 'sandbox' })]);
  };
  const withdrawn = async (payee: Json, id: string): Promise<void> => {
    const address = newAddress();
    await withdrawTo(await walletOpenedBy(run.client, payee), id, address);
    await swap.expectPaidOnce(id, address);
  };

  test('custodial_a: what is sent at once arrives', async () => {
    const account = `acct_${randomUUID()}`;
    const ada = await run.person(account);
    await wasBound(STRIPE);
    await bind(STRIPE);
    const { id } = await run.pay(ada, 1_005);
    await run.readsPaid(id);
    const { transfers, payouts } = await run.sandbox.books(STRIPE);
    const ofAda = transfers.filter(({ destination }: Json) => destination === account);
    expect(ofAda).toMatchObject([{ units: 1_005, reversedUnits: 0 }]);
    expect(payouts.filter((payout: Json) => payout.account === account)).toMatchObject([{ status: 'paid' }]);
  });

  test('swap_rail: what is sent at once waits for its payee, and arrives', async () => {
    const ada = await swap.person();
    await wasBound(SWAP);
    await bind(SWAP);
    const id = await swap.pay(ada);
    await swap.arrives(id);
    await withdrawn(ada, id);
  });

  test('swap_rail: what waited for its payee before a wrong account was bound arrives once the right one is bound again', async () => {
    const ada = await swap.person();
    const id = await swap.pay(ada);
    await swap.arrives(id);
    await eventually(
      () => readPayout(run.client, id),
      ({ status }) => status === 'awaiting_withdraw',
    );
    await wasBound(SWAP);
    await bind(SWAP);
    await withdrawn(ada, id);
  });
});
