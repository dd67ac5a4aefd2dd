/**
 * A rail refuses money for an account while an earlier answer about that account waits for its payee, whom somebody holds. Writing
 * that answer does not make it forgotten that the account is to be asked about soon, also if the account becomes payable by it.
 */
import type { Client } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import { PayabilityJob, type Payee, ReadAccount, ReadReadiness } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('an account that is to be asked about soon', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  let payee: Payee;
  let account: string;
  beforeEach(async () => {
    world.rail.reset();
    payee = await world.payee(client, { country: 'FR' });
    account = `acct_${payee.id}`;
  });

  const isDue = async (): Promise<void> => {
    await world.db.execute(`UPDATE methods SET ask_at = now() - interval '1 hour' WHERE payee_id = $1`, [payee.id]);
  };
  /** The rail refuses money for it. */
  const askSoon = (): Promise<void> =>
    world
      .get(ReadAccount)
      .askSoon({ id: '', payeeId: payee.id, provider: 'custodial_a', accountId: account, testMode: false });
  /** Its answer waits for its payee, and `meanwhile` happens. */
  const answered = async (ask: () => Promise<unknown>, meanwhile: () => Promise<void>): Promise<void> => {
    const letGo = await holding(world.db, 'SELECT FROM payees WHERE id = $1 FOR UPDATE', [payee.id]);
    const run = ask();
    await waitedFor(world.db, 'payees', 'id = $1', [payee.id]);
    await meanwhile();
    await letGo();
    await run;
  };
  const turn = (): Promise<{ payable: boolean; isDue: boolean } | null> =>
    world.db.row('SELECT payable, ask_at <= now() AS is_due FROM methods WHERE payee_id = $1', [payee.id]);
  const schedule = (): Promise<unknown> => world.get(PayabilityJob).onSchedule();
  const reader = (): Promise<unknown> => world.get(ReadReadiness).run(client, payee.id);

  test('is, though an answer from before is written later', async () => {
    await world.adopt(client, payee, account);
    await isDue();
    await answered(schedule, askSoon);
    expect(await turn()).toEqual({ payable: true, isDue: true });
  });

  describe('and becomes payable by that answer', () => {
    beforeEach(async () => {
      world.rail.accounts.set(account, { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE);
      await world.adopt(client, payee, account);
      world.rail.accounts.set(account, PAYABLE);
    });

    test.each([
      ['the schedule', schedule, isDue],
      ['a reader of the readiness', reader, () => Promise.resolve()],
    ])('that %s asked for, is', async (_, ask, before) => {
      await before();
      await answered(ask, askSoon);
      expect(await turn()).toEqual({ payable: true, isDue: true });
    });

    test('is not, if it was to be asked about before the question that was answered', async () => {
      await isDue();
      await answered(reader, () => Promise.resolve());
      expect(await turn()).toEqual({ payable: true, isDue: false });
    });
  });
});
