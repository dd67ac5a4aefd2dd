/** A provider is slow to say what it has, and the payee is blocked meanwhile: nothing has left yet, and nothing leaves. */
import { randomUUID } from 'node:crypto';
import { eventually, type Json, operator } from '../harness/api';
import { query } from '../harness/database';
import { RailRun } from '../harness/rail-run';

const RAIL = 'custodial_b';
const LIST = { method: 'GET', path: '/btl/v4/transfers' };

describe('custodial_b, whose Adyen answers slowly', () => {
  let run: RailRun;
  beforeAll(async () => void (run = await RailRun.start(RAIL)));
  afterAll(() => run.stop());

  const standing = async (id: string): Promise<{ status: string; reason: string } | undefined> => {
    const sql = 'SELECT status, status_reason AS reason FROM payouts WHERE id = $1';
    const [row] = await query<{ status: string; reason: string }>(run.service.databaseUrl, sql, [id]);
    return row;
  };

  test('sends nothing to whom is blocked before it left', async () => {
    const ada = await run.person(`AH_${randomUUID()}`);
    await run.sandbox.fault(RAIL, { effect: 'slow', match: LIST, seconds: 12, times: 1 });
    const { id } = await run.pay(ada, 6_000);
    await run.faultsStruck();
    const blocked = await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'fraud' });
    expect(blocked.status).toBe(200);
    const held = await eventually(
      () => standing(id),
      (payout) => payout?.status !== 'authorized' && payout?.status !== 'submitted',
    );
    expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('route_blocked') as string });
    const { transfers } = await run.sandbox.books(RAIL);
    expect(transfers.filter(({ amount }: Json) => amount?.value === 6_000)).toEqual([]);
  });
});
