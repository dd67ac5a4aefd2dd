/**
 * An account is named once more by its caller, and its rail is slow. Meanwhile the account is read: rejected. The answer to the adoption was asked for
 * earlier. The account keeps the later answer (`LATER` of method.store.ts); so must who the payee is said to be: an older answer is written onto nothing that
 * a later one was written to (point 5). Its caller would hear that somebody is verified whom their provider just rejected.
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type Method, PayeeReads, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('an adoption whose answer comes late', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  test('does not make somebody verified whom a later answer called rejected', async () => {
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    world.rail.forgetReadings();
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    const older = world.adopt(client, payee, account);
    await world.rail.readingOf(account);
    world.rail.accountGate = Promise.resolve();
    const { earliest } = { earliest: world.get(DatabaseClock).earliest() };
    while (world.get(DatabaseClock).earliest() <= earliest) await new Promise((resolve) => setImmediate(resolve));
    const rejected = { ...PAYABLE, payable: false, kyc: 'rejected', kycReason: 'blurred', onboarding: 'restricted' };
    world.rail.accounts.set(account, rejected as typeof PAYABLE);
    await world.get(ReadAccount).run(client, method);
    const standing = async () => {
      const { payable, kycStatus, onboardingStatus } = (await world.get(PayeeReads).find(client.id, payee.id)) ?? {};
      return { payable, kycStatus, onboardingStatus };
    };
    const known = { payable: false, kycStatus: 'rejected', onboardingStatus: 'restricted' };
    expect(await standing()).toEqual(known);
    answers();
    await older;
    expect(await standing()).toEqual(known);
  });
});
