/**
 * As `standing-of-one-moment`, but the clock of the database was six seconds ahead and is put right while the first question is on its way. The dates of
 * both are still to come by then (ADR 54): the answer to the later one, that the account is not payable, stays (points 3 and 5).
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DatabaseClock } from '#libs/db';
import { type Method, PayeeReads, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('two answers about an account, and a clock that is put right between the questions', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  const looks = (aheadMs: number): void => {
    const clock = world.get(DatabaseClock);
    clock.set(new Date(systemClock.now().getTime() + aheadMs), clock.reading());
  };

  test.each(['reading', 'adoption'])('the older one (a %s) is heard last, and changes nothing', async (kind) => {
    world.rail.reset();
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    world.rail.forgetReadings();
    looks(6_000);
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    const older = kind === 'reading' ? world.get(ReadAccount).run(client, method) : world.adopt(client, payee, account);
    await world.rail.readingOf(account);
    world.rail.accountGate = Promise.resolve();
    looks(0);
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
