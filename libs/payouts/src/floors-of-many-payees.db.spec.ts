/** A batch by which the payouts of many payees reach their floor: what goes on by it is judged in portions, so that the process serves others between. */
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ChangePayout } from './use-cases/change-payout';
import { JudgeHeld } from './use-cases/judge-held';

const PAYEES = 6;
const PAYOUTS_EACH = 50;
const AT_ONCE = 250;
const { update } = ChangePayout.prototype;

describe('payouts of many payees that reach their floor together', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('go on all of them, and no more than a portion at once', async () => {
    const client = await world.client({ floors: { claim_rail: PAYOUTS_EACH * 100 } });
    const payees: Payee[] = [];
    for (let nth = 0; nth < PAYEES; nth += 1)
      payees.push(await world.payee(client, { country: 'DE', email: `p${nth}@example.com` }));
    const judged = jest.spyOn(JudgeHeld.prototype, 'run');
    for (let nth = 0; nth < PAYOUTS_EACH; nth += 1)
      await Promise.all(payees.map((payee) => world.pay(client, payee, 100)));

    const portions = judged.mock.calls.map(([payouts]) => payouts.length);
    expect(portions.reduce((sum, payouts) => sum + payouts, 0)).toBe(PAYEES * PAYOUTS_EACH);
    expect(Math.max(...portions)).toBeLessThanOrEqual(AT_ONCE);
    expect(
      await world.db.rows(`SELECT DISTINCT status FROM payouts WHERE client_id = $1 AND status = 'held'`, [client.id]),
    ).toEqual([]);
  });

  test('and so do those of one payee, in one transaction', async () => {
    const many = AT_ONCE * 2 + 100;
    const client = await world.client({ floors: { claim_rail: many * 100 } });
    const payee = await world.payee(client, { country: 'DE', email: 'one@example.com' });
    await Promise.all(Array.from({ length: many - 1 }, () => world.pay(client, payee, 100)));
    const written = jest.spyOn(ChangePayout.prototype, 'update');
    const turns: number[] = [];
    written.mockImplementation(async function (this: ChangePayout, ...args) {
      setImmediate(() => turns.push(written.mock.calls.length));
      return Reflect.apply(update, this, args) as ReturnType<ChangePayout['update']>;
    });
    await world.pay(client, payee, 100);

    expect(written.mock.calls.map(([{ length }]) => length)).toEqual([AT_ONCE, AT_ONCE, 100]);
    expect(turns).toEqual([1, 2, 3]);
    expect(
      await world.db.rows(
        `SELECT status, count(DISTINCT updated_at)::int AS at FROM payouts WHERE client_id = $1 GROUP BY status`,
        [client.id],
      ),
    ).toEqual([{ status: 'authorized', at: 1 }]);
  });
});
