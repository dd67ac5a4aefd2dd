/**
 * After a restore a rail was bound to another account, and nobody compared with the one of before yet. Owed rows wait for that (ADR 106). A payout that a
 * caller makes days later, for a payee who came since, was never at the account of before: "payouts of callers' own do not wait" (operating.md).
 */
import { boundTo, isRestored, type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { startOwedWorld } from '../testing/src';

describe('a new payout, long after a restore, beside an account of before that nobody compared with', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  /** The rail keeps codes for an hour, and for a day callers may ask again for what was lost: that waits. */
  test.each([
    [23, 'authorized'],
    [48, 'paid'],
  ])(
    'is sent with the account of now, whose list is compared with each minute, once a day is over: %s h, %s',
    async (hours, expected) => {
      world.rail.reset();
      await boundTo(world, 'custodial_a', 'before');
      await compare(world);
      await isRestored(world);
      await boundTo(world, 'custodial_a', 'now');
      await compare(world);
      for (const at of ['scanned_until', 'restored_at'])
        await world.db.execute(`UPDATE scans_of_accounts SET ${at} = ${at} - ${hours} * interval '1 hour'`);
      await world.db.execute(`UPDATE rail_scans SET restored_at = restored_at - ${hours} * interval '1 hour'`);
      await world.db.execute(
        `UPDATE rail_accounts SET rebound_at = rebound_at - ${hours} * interval '1 hour', bound_at = bound_at - ${hours} * interval '1 hour'`,
      );
      await compare(world);
      const client = await world.client();
      const payee = await world.payee(client, { country: 'FR' });
      await world.adopt(client, payee);
      world.rail.answers = () => settled('now');
      const { id } = await world.pay(client, payee);
      await world.drive(id);
      expect(await world.status(id)).toBe(expected);
    },
  );
});
