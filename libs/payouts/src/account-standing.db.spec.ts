/** A rail is asked about one account while another is adopted: what it says is about the one that was asked about. */
import type { Client } from '#libs/clients';
import { type Payee, PayabilityJob, PayeeReads, ReadReadiness, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE;

describe("an account's standing", () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    payee = await world.payee(client, { country: 'FR' });
  });

  /** The rail takes its time over this question, and another account is adopted meanwhile. */
  const whileAsked = async (ask: () => Promise<unknown>, old: string, other: string): Promise<void> => {
    let answer: () => void = () => undefined;
    world.rail.accountGate = new Promise((resolve) => (answer = resolve));
    const asked = ask();
    await world.rail.readingOf(old);
    world.rail.accountGate = Promise.resolve();
    await world.adopt(client, payee, other);
    answer();
    await asked;
  };
  const now = async (): Promise<boolean | undefined> =>
    (await world.get(PayeeReads).find(client.id, payee.id))?.payable;

  test.each([
    ['the schedule', () => world.get(PayabilityJob).now()],
    ['a reader of the readiness', () => world.get(ReadReadiness).run(client, payee.id)],
  ])('that %s asks for does not land on the account adopted meanwhile', async (_, ask) => {
    const old = `acct_old_${payee.id}`;
    const other = `acct_other_${payee.id}`;
    world.rail.accounts.set(old, NOT_PAYABLE).set(other, NOT_PAYABLE);
    await world.adopt(client, payee, old);
    // The old account becomes payable, which is what the rail answers; the other one is not.
    world.rail.accounts.set(old, PAYABLE);
    world.rail.forgetReadings();
    await whileAsked(ask, old, other);
    expect(await now()).toBe(false);
    const { id } = await world.pay(client, payee);
    expect(await world.payout(id)).toMatchObject({ status: 'held', statusReason: 'not_payable' });
  });

  test('of the one before does not land on one that was asked about earlier and adopted meanwhile', async () => {
    const old = `acct_old_${payee.id}`;
    const other = `acct_other_${payee.id}`;
    world.rail.accounts.set(old, NOT_PAYABLE).set(other, NOT_PAYABLE);
    await world.adopt(client, payee, old);
    world.rail.accounts.set(old, PAYABLE);
    world.rail.forgetReadings();
    const answers: (() => void)[] = [];
    const gate = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    world.rail.accountGate = gate();
    const adopted = world.adopt(client, payee, other);
    await world.rail.readingOf(other);
    world.rail.accountGate = gate();
    const asked = world.get(ReadReadiness).run(client, payee.id);
    await world.rail.readingOf(old);
    answers[0]?.();
    await adopted;
    answers[1]?.();
    await asked;
    expect(await world.get(PayeeReads).find(client.id, payee.id)).toMatchObject({
      ...{ payable: false, kycStatus: 'pending' },
    });
    const methods = await world.db.rows<{ id: string; payable: boolean }>(
      'SELECT provider_account_id AS id, payable FROM methods WHERE payee_id = $1 AND payable',
      [payee.id],
    );
    expect(methods).toEqual([]);
  });

  test('is what the rail said last, however late an older answer is written', async () => {
    const account = `acct_${payee.id}`;
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.adopt(client, payee, account);
    world.rail.accounts.set(account, PAYABLE);
    world.rail.forgetReadings();
    let answer: () => void = () => undefined;
    world.rail.accountGate = new Promise((resolve) => (answer = resolve));
    const asleep = world.get(ReadReadiness).run(client, payee.id);
    await world.rail.readingOf(account);
    world.rail.accountGate = Promise.resolve();
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.get(ReadReadiness).run(client, payee.id);
    answer();
    await asleep;
    expect(await now()).toBe(false);
  });

  test('is the same for the account and its payee when an answer that was no news comes after one that was', async () => {
    const account = `acct_${payee.id}`;
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.adopt(client, payee, account);
    // Somebody else heard that it is payable, and wrote it to the account alone.
    await world.db.execute('UPDATE methods SET payable = true WHERE payee_id = $1', [payee.id]);
    world.rail.accounts.set(account, PAYABLE);
    await world.get(ReadReadiness).run(client, payee.id);
    expect(await now()).toBe(true);
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.db.execute(`UPDATE methods SET ask_at = now() WHERE payee_id = $1`, [payee.id]);
    await world.get(PayabilityJob).now();
    expect(await now()).toBe(false);
  });

  test('is told when the reason becomes another, though it pays no more than before', async () => {
    const account = `acct_${payee.id}`;
    const rejected = { ...NOT_PAYABLE, kyc: 'rejected', kycReason: 'the document is blurred' } as typeof PAYABLE;
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.adopt(client, payee, account);
    const told = (): Promise<{ sequence: number; payload: { kycStatus: string } }[]> =>
      world.db.rows(`SELECT sequence, payload FROM events WHERE entity_id = $1 ORDER BY sequence DESC`, [payee.id]);
    const before = await told();
    world.rail.accounts.set(account, rejected);
    await world.get(ReadReadiness).run(client, payee.id);
    expect(await world.get(PayeeReads).find(client.id, payee.id)).toMatchObject({
      ...{ payable: false, kycStatus: 'rejected', kycReason: 'the document is blurred' },
    });
    expect(await told()).toHaveLength(before.length + 1);
    await world.get(ReadReadiness).run(client, payee.id);
    expect(await told()).toHaveLength(before.length + 1);
  });

  test('an account is not adopted if its payee became somebody else while the rail was asked about it', async () => {
    const cooling = await world.client({ coolDownSeconds: 3_600 });
    const theirs = await world.payee(cooling, { country: 'FR' });
    await world.adopt(cooling, theirs);
    const account = `acct_${theirs.id}`;
    world.rail.accounts.set(account, PAYABLE);
    let answer: () => void = () => undefined;
    world.rail.accountGate = new Promise((resolve) => (answer = resolve));
    const adopted = world.adopt(cooling, theirs, account);
    await world.rail.readingOf(account);
    await world.get(UpsertPayee).run(cooling, { externalId: theirs.externalId, name: 'Somebody Else' });
    answer();
    await expect(adopted).rejects.toMatchObject({ code: 'payee_cooling_down' });
  });
});
