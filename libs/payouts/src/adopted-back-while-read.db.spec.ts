/**
 * A payout still pays to the account that its payee had before (A). They name A again, and A's rail is slow; meanwhile that payout's job reads A, which is not its
 * payee's account any more: what it says is written to A alone. Both questions were about A, and both say the same: so does the payee once A is theirs again, and what was
 * known of B says nothing of A (point 5: "Standing is written to the method that was asked about").
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type Payee, PayeeReads } from '#libs/payees';
import { accepted, type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const REJECTED = {
  ...PAYABLE,
  payable: false,
  kyc: 'rejected',
  kycReason: 'blurred',
  onboarding: 'restricted',
} as typeof PAYABLE;

describe('an account that is named again while a payout reads it', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  const standing = async (payee: Payee) => {
    const { payable, kycStatus, onboardingStatus } = (await world.get(PayeeReads).find(client.id, payee.id)) ?? {};
    return { payable, kycStatus, onboardingStatus };
  };

  test.each([
    ['rejected', 'verified', false],
    ['rejected', 'verified', true],
    ['verified', 'rejected', false],
    ['verified', 'rejected', true],
  ])('A is %s, B was %s (a payout reads A meanwhile: %s)', async (ofA, ofB, isRead) => {
    world.rail.reset();
    const payee = await world.payee(client, { country: 'FR' });
    const a = await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    const b = `acct_b_${payee.id}`;
    if (ofB === 'rejected') world.rail.accounts.set(b, REJECTED);
    await world.adopt(client, payee, b);
    expect(await standing(payee)).toMatchObject({ kycStatus: ofB });

    if (ofA === 'rejected') world.rail.accounts.set(a, REJECTED);
    world.rail.forgetReadings();
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const adoption = world.adopt(client, payee, a);
    await world.rail.readingOf(a);
    world.rail.accountGate = Promise.resolve();
    const before = world.get(DatabaseClock).earliest();
    while (world.get(DatabaseClock).earliest() <= before) await new Promise((resolve) => setImmediate(resolve));
    world.rail.answers = () => accepted();
    if (isRead) await world.drive(id);
    answers();
    await adoption;
    expect(await standing(payee)).toMatchObject(
      ofA === 'rejected'
        ? { payable: false, kycStatus: 'rejected', onboardingStatus: 'restricted' }
        : { payable: true, kycStatus: 'verified', onboardingStatus: 'complete' },
    );
  });

  /** Nobody reads A meanwhile: its caller named it twice, for the first answer was slow, and B in between. */
  test('A is verified, named twice, and B was rejected in between', async () => {
    world.rail.reset();
    const payee = await world.payee(client, { country: 'FR' });
    const [a, b] = [`acct_a_${payee.id}`, `acct_b_${payee.id}`];
    world.rail.accounts.set(b, REJECTED);
    let answers = (): void => undefined;
    world.rail.accountGate = new Promise((resolve) => (answers = resolve));
    const first = world.adopt(client, payee, a);
    await world.rail.readingOf(a);
    world.rail.accountGate = Promise.resolve();
    const before = world.get(DatabaseClock).earliest();
    while (world.get(DatabaseClock).earliest() <= before) await new Promise((resolve) => setImmediate(resolve));
    await world.adopt(client, payee, a);
    await world.adopt(client, payee, b);
    expect(await standing(payee)).toMatchObject({ payable: false, kycStatus: 'rejected' });
    answers();
    await first;
    expect(await standing(payee)).toMatchObject({
      ...{ payable: true, kycStatus: 'verified', onboardingStatus: 'complete' },
    });
  });
});
