/**
 * An account is asked about twice in a moment that nobody can tell apart, as while the database's clock can tell less than before. What was asked later is
 * newer, and is heard first: that the account is not payable. The older answer comes late, of a read or of its caller who names the account once more, and does
 * not make it payable again (points 3 and 5): of two answers of one moment the one by which nothing is sent counts, as for what rails say of money (ADR 54).
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type Method, PayeeReads, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('two answers about an account', () => {
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
    { of: 'a read', clock: 'as it is' },
    { of: 'a read', clock: 'that gives both one date' },
    { of: 'its caller', clock: 'as it is' },
    { of: 'its caller', clock: 'that gives both one date' },
  ])('the older one, of $of, is heard last, and changes nothing (a clock $clock)', async ({ of, clock }) => {
    world.rail.reset();
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    world.rail.forgetReadings();
    if (clock !== 'as it is') standsStill();
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    const older = of === 'a read' ? world.get(ReadAccount).run(client, method) : world.adopt(client, payee, account);
    await world.rail.readingOf(account);
    world.rail.accountGate = Promise.resolve();
    // The next question comes in another millisecond, if the clock can tell.
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
