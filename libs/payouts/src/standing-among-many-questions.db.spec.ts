/**
 * As `out-among-many-questions`, of an account: it is asked about ("payable", a slow answer), many other questions are put, and it is asked about again ("not payable", at once). The database told
 * the time late, so the last question is dated a little ahead of it, though nobody set a clock. The older answer counts no more: what is authorized to that account is held with `not_payable`
 * (point 3).
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type Method, ReadAccount } from '#libs/payees';
import { accepted, type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

const LATE_MS = 5_000;
const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'rejected', kycReason: 'closed' } as typeof PAYABLE;

describe('an account that is read twice, among many questions', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  /** The database was asked so long ago, and told the time as it is read. */
  const answered = (late: number): void => {
    const clock = world.get(DatabaseClock);
    const { bySystem, byTicks } = clock.reading();
    clock.set(clock.earliest(), { bySystem: bySystem - late, byTicks: byTicks - late });
  };

  test.each([0, 1_500])('stands as the later answer says (%s questions in between)', async (questions) => {
    world.rail.reset();
    answered(0);
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    answered(LATE_MS);
    world.rail.forgetReadings();
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const older = world.get(ReadAccount).run(client, method);
    await world.rail.readingOf(account);
    world.rail.accountGate = Promise.resolve();
    const before = world.get(DatabaseClock).earliest();
    while (world.get(DatabaseClock).earliest() <= before) await new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < questions; n += 1) world.get(AskRail).askedAt();
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.get(ReadAccount).run(client, method);
    answers();
    await older;
    answered(0);
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('not_payable'),
    });
  });
});
