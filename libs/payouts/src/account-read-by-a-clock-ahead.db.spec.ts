/**
 * An account was read, and the database fails over to a host whose clock is an hour behind (ADR 54, 128). What its rail says of it from then on was asked
 * about later, whatever the clocks say: one that is no longer payable is paid nothing (points 3 and 5), and one that becomes payable is paid.
 */
import type { Client } from '#libs/clients';
import { type Payee, PayabilityJob, PayeeReads, ReadReadiness } from '#libs/payees';
import { accepted, type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'rejected', kycReason: 'closed' } as typeof PAYABLE;

describe.each(['0 s', '1 hour'])(
  'an account that was read before the clock of the database was set back by %s',
  (by) => {
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
      world.rail.answers = () => accepted();
      payee = await world.payee(client, { country: 'FR' });
    });

    /** What was written as now() is an hour ahead of the clock from here on. */
    const setBack = (): Promise<unknown> =>
      world.db.execute(
        `UPDATE methods SET asked_at = asked_at + $2::interval, checked_at = checked_at + $2::interval,
      ask_at = ask_at + $2::interval, details_at = details_at + $2::interval WHERE payee_id = $1`,
        [payee.id, by],
      );
    const isPayable = async (): Promise<boolean | undefined> =>
      (await world.get(PayeeReads).find(client.id, payee.id))?.payable;

    test('is paid nothing once its rail says that it is closed', async () => {
      const account = await world.adopt(client, payee);
      const { id } = await world.pay(client, payee);
      await setBack();
      world.rail.accounts.set(account, NOT_PAYABLE);
      await world.db.execute('UPDATE methods SET ask_at = now() WHERE payee_id = $1', [payee.id]);
      await world.get(PayabilityJob).now();
      await world.drive(id);
      expect(await world.payout(id)).toMatchObject({ status: 'held' });
      expect(world.rail.calls).toEqual([]);
    });

    test('is paid nothing if it was replaced, and is read right before the send', async () => {
      const account = await world.adopt(client, payee);
      const { id } = await world.pay(client, payee);
      await world.adopt(client, payee, `acct_other_${payee.id}`);
      await setBack();
      world.rail.accounts.set(account, NOT_PAYABLE);
      await world.drive(id);
      expect(await world.payout(id)).toMatchObject({ status: 'held', accountId: account });
      expect(world.rail.calls).toEqual([]);
    });

    test('is paid nothing once its caller names it again, and its rail says that it is closed', async () => {
      const account = await world.adopt(client, payee);
      const { id } = await world.pay(client, payee);
      await setBack();
      world.rail.accounts.set(account, NOT_PAYABLE);
      await world.adopt(client, payee, account);
      expect(await isPayable()).toBe(false);
      await world.drive(id);
      expect(await world.payout(id)).toMatchObject({ status: 'held' });
      expect(world.rail.calls).toEqual([]);
    });

    test('is paid once its rail says that it can be', async () => {
      world.rail.accounts.set(`acct_late_${payee.id}`, { ...NOT_PAYABLE, kyc: 'pending' } as typeof PAYABLE);
      const account = await world.adopt(client, payee, `acct_late_${payee.id}`);
      await setBack();
      world.rail.accounts.set(account, PAYABLE);
      await world.get(ReadReadiness).run(client, payee.id);
      expect(await isPayable()).toBe(true);
    });
  },
);
