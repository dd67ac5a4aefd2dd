/** What releases itself: a floor that was reached, a day that turned, and nothing that still has to wait. */
import { type ApiClient, eventually, type Json, newClient, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import {
  movementsOf,
  payeeWithAccount,
  putRoutes,
  reachesStatus,
  readPayout,
  reasonOf,
  runJob,
  stepsOf,
} from '../harness/money';

describe('self-release', () => {
  let client: ApiClient;

  beforeAll(async () => {
    await putRoutes();
    client = await newClient();
  });

  const pay = async (payeeId: string, amountCents: number, more = {}): Promise<Json> =>
    (await client.payout(payeeId, { amountCents, ...more })).body;

  test('the row that reaches the floor releases all that waited for it, each under its own id', async () => {
    const payee = await client.payablePayee();
    const [first, second] = [await pay(payee.id, 40), await pay(payee.id, 59)];
    expect([first.status, second.status]).toEqual(['held', 'held']);
    const third = await pay(payee.id, 1);
    expect(third.status).toBe('paid');
    for (const { id } of [first, second, third]) {
      const payout = await reachesStatus(client, id, 'paid');
      expect(stepsOf(payout)).toEqual([
        'null create requested',
        'requested block held',
        'held release authorized',
        'authorized submit submitted',
        'submitted settle paid',
      ]);
      expect(await movementsOf(id)).toBe(1);
    }
    expect((await pay(payee.id, 99)).status).toBe('held');
  });

  test('currencies and payees accrue apart', async () => {
    const [one, two] = [await client.payablePayee(), await client.payablePayee()];
    const held = [await pay(one.id, 60), await pay(one.id, 60, { currency: 'EUR' }), await pay(two.id, 60)];
    for (const { id } of held) expect((await readPayout(client, id)).status).toBe('held');
  });

  test('20 rows at once that reach the floor together are released once each', async () => {
    const payee = await client.payablePayee();
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(payee.id, 30)));
    await runJob('sweep');
    const left = await eventually(
      () => client.get(`/payouts?payeeId=${payee.id}`),
      ({ body }) => body.data.every(({ status }: Json) => status === 'paid' || status === 'held'),
    );
    const held = left.body.data.filter(({ status }: Json) => status === 'held');
    expect(held.reduce((sum: number, { amountCents }: Json) => sum + amountCents, 0)).toBeLessThan(100);
    for (const { id } of answers) expect(await movementsOf(id)).toBe(held.some((row: Json) => row.id === id) ? 0 : 1);
  });

  test('a floor that is lowered releases on the next sweep', async () => {
    const owner = await newClient();
    const payee = await owner.payablePayee();
    const { id } = (await owner.payout(payee.id, { amountCents: 50 })).body;
    await operator('PATCH', `/clients/${owner.id}`, { floors: { mock: 50 } });
    const { body } = await operator('POST', '/jobs/sweep/run');
    expect(body).toMatchObject({ name: 'sweep', did: { released: expect.any(Number) }, tookMs: expect.any(Number) });
    await reachesStatus(owner, id, 'paid');
  });

  test('accrued rows meet the other gates: what is over a cap is held for that', async () => {
    const owner = await newClient({ caps: { dailyCents: 150 } });
    const payee = await owner.payablePayee();
    const ids: string[] = [];
    for (const amountCents of [90, 90]) ids.push((await owner.payout(payee.id, { amountCents })).body.id);
    await reachesStatus(owner, ids[0] as string, 'paid');
    expect(reasonOf(await readPayout(owner, ids[1] as string))).toBe('cap_exceeded_daily');
  });

  test('a suspended client is not paid out behind its back', async () => {
    const owner = await newClient();
    const payee = await owner.payablePayee();
    const { id } = (await owner.payout(payee.id, { amountCents: 50 })).body;
    await operator('PATCH', `/clients/${owner.id}`, { floors: { mock: 10 }, status: 'suspended' });
    await runJob('sweep');
    expect((await operator('GET', `/payouts/${id}`)).body.status).toBe('held');
    await operator('PATCH', `/clients/${owner.id}`, { status: 'active' });
    await runJob('sweep');
    await reachesStatus(owner, id, 'paid');
  });

  test('the turn of the day releases what the cap held, oldest first and up to the new cap', async () => {
    const owner = await newClient({ caps: { dailyCents: 1_000 } });
    const payee = await owner.payablePayee();
    const ids: string[] = [];
    for (const amountCents of [1_000, 600, 300, 500]) ids.push((await owner.payout(payee.id, { amountCents })).body.id);
    await runJob('release');
    expect((await readPayout(owner, ids[1] as string)).status).toBe('held');
    await query(
      underTest().databaseUrl,
      `UPDATE payouts SET updated_at = updated_at - interval '1 day', authorized_on = authorized_on - 1 WHERE payee_id = $1`,
      [payee.id],
    );
    await query(underTest().databaseUrl, 'UPDATE balances SET day = day - 1 WHERE payee_id = $1', [payee.id]);
    await Promise.all([runJob('release'), runJob('release'), runJob('release')]);
    for (const id of ids.slice(0, 3)) await reachesStatus(owner, id, 'paid');
    const last = await readPayout(owner, ids[3] as string);
    expect([last.status, reasonOf(last), stepsOf(last).length]).toEqual(['held', 'cap_exceeded_daily', 2]);
    for (const id of ids.slice(0, 3)) expect(await movementsOf(id)).toBe(1);
  });

  test('rails that settle later accrue too', async () => {
    const live = await newClient({ testMode: false });
    const payee = await payeeWithAccount(live, 'custodial_b', undefined, { country: 'CH' });
    const [one, two] = [
      (await live.payout(payee.id, { amountCents: 1_500 })).body,
      (await live.payout(payee.id, { amountCents: 500 })).body,
    ];
    expect([one.status, two.status]).toEqual(['held', 'authorized']);
    for (const { id } of [one, two]) await reachesStatus(live, id, 'paid');
  });
});
