/**
 * Like standing-of-one-moment, and the older question is that of an adoption of the same account: its caller names it once more. Both are put in a moment that
 * nobody can tell apart. What was asked later is heard first: the account is not payable. The adoption's answer comes late, and does not make it payable
 * again (points 3 and 5): of two answers of one moment the one by which nothing is sent counts (ADR 54), also in `ACTIVATE` of method.store.ts.
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type Method, PayeeReads, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('an adoption and another answer about its account', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  /** As of two processes, neither of which can tell that the other asks too. */
  const standsStill = (): void => {
    const clock = world.get(DatabaseClock);
    jest.spyOn(clock, 'nextDate').mockReturnValue(clock.nextDate());
  };
  afterEach(() => jest.restoreAllMocks());

  test.each([
    { clock: 'as it is', before: () => undefined },
    { clock: 'that gives both one date', before: standsStill },
  ])('the older one is heard last, and changes nothing (a clock $clock)', async ({ before }) => {
    world.rail.reset();
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    world.rail.forgetReadings();
    before();
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    const older = world.adopt(client, payee, account);
    await world.rail.readingOf(account);
    world.rail.accountGate = Promise.resolve();
    const now = world.get(DatabaseClock).now();
    while (world.get(DatabaseClock).now().getTime() < now.getTime() + 20)
      await new Promise((resolve) => setImmediate(resolve));
    world.rail.accounts.set(account, { ...PAYABLE, payable: false } as typeof PAYABLE);
    await world.get(ReadAccount).run(client, method);
    const payable = async (): Promise<boolean | undefined> =>
      (await world.get(PayeeReads).find(client.id, payee.id))?.payable;
    expect(await payable()).toBe(false);
    answers();
    await older;
    expect(await payable()).toBe(false);
  });
});
