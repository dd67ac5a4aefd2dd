/** With which account of its rail a payout was first sent is noted by the database, whichever version sends it. */
import type { Client } from '#libs/clients';
import { RailIdentity } from '#libs/rail-registry';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('the account that a payout was sent with', () => {
  let world: MoneyWorld;
  let client: Client;
  let id: string;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    await bind('claim_rail', 'one');
    await bind('swap_rail', 'other');
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    const payee = await world.payee(client, { country: 'DE' });
    ({ id } = await world.pay(client, payee));
    await bind('claim_rail', 'one');
  });

  const bind = (rail: string, account: string, mode: 'live' | 'sandbox' = 'live') =>
    world.get(RailIdentity).rebind(rail, { account, mode });
  const isElsewhere = async () => (await world.payout(id)).sentElsewhere;
  const sentWith = async () =>
    (await world.db.row<{ sentWith: string | null }>('SELECT sent_with FROM payouts WHERE id = $1', [id]))?.sentWith;
  const set = (what: string) => world.db.execute(`UPDATE payouts SET ${what} WHERE id = $1`, [id]);

  test('is none before it is sent, and stays the first one, whatever its rail says later and whatever is bound by then', async () => {
    expect(await sentWith()).toBeNull();
    await set('code_since = now()');
    expect(await sentWith()).toBe('live one');
    await bind('claim_rail', 'two');
    await set(`code_since = now() + interval '1 minute', submitted_at = now()`);
    await set(`code_since = now() - interval '1 minute'`);
    await set('code_since = NULL');
    expect(await sentWith()).toBe('live one');
  });

  test('is another one in another mode', async () => {
    await set('code_since = now()');
    expect(await isElsewhere()).toBe(false);
    await bind('claim_rail', 'one', 'sandbox');
    expect(await isElsewhere()).toBe(true);
    await bind('claim_rail', 'one');
    expect(await isElsewhere()).toBe(false);
  });

  test('is another one at another rail', async () => {
    await set('code_since = now()');
    await set(`provider = 'swap_rail', code_since = now() + interval '1 second'`);
    expect(await sentWith()).toBe('live other');
    await set(`provider = 'gift_rail', code_since = NULL`);
    expect(await sentWith()).toBeNull();
    await set('submitted_at = now()');
    expect(await sentWith()).toBeNull(); // that does not tell whose credentials it has
  });

  test.each([
    ['which its rail may have said no to', 'submitted_at = now()', 'live one'],
    ['of which an earlier version noted nothing', 'submitted_at = now(), sent_with = NULL', null],
  ])(
    'is that of the one before for what leaves under its code right after another one was bound, %s',
    async (_, by, whose) => {
      await set('code_since = now()');
      await set(by);
      await set(`superseded_by = id, status = 'failed'`);
      const { railKey } = await world.payout(id);
      const payee = await world.payee(client, { country: 'DE' });
      ({ id } = await world.pay(client, payee));
      await bind('claim_rail', 'two');
      await world.db.execute('UPDATE payouts SET rail_key = $2, code_since = now() WHERE id = $1', [id, railKey]);
      expect(await sentWith()).toBe(whose);
      await set('code_since = NULL');
      await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
      await set('code_since = now()');
      expect(await sentWith()).toBe('live two');
    },
  );

  test.each(['submitted_at = now()', 'submitted_at = now(), code_since = now()'])(
    'is told by the times alone if an earlier version did not note it (%s)',
    async (sent) => {
      await set(`${sent}, attempt = 1, status = 'submitted'`);
      await set('sent_with = NULL');
      await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
      expect(await isElsewhere()).toBe(false);
      await bind('claim_rail', 'two');
      expect(await isElsewhere()).toBe(true);
      await set('code_since = now()');
      expect(await sentWith()).toBeNull();
    },
  );

  test('is the first one if an earlier version did not note it, also when that is bound again', async () => {
    const unnoted = async (seconds: number) => {
      await set(`submitted_at = now() - ${seconds} * interval '1 second', attempt = 1, status = 'submitted'`);
      await set('sent_with = NULL');
    };
    await unnoted(600);
    await bind('claim_rail', 'two');
    expect(await isElsewhere()).toBe(true);
    await bind('claim_rail', 'three');
    expect(await isElsewhere()).toBe(true);
    await bind('claim_rail', 'one');
    expect(await isElsewhere()).toBe(false);
    // Versions that noted nothing had bound that one anew, five minutes ago: what was sent before then was sent with another one.
    await world.db.execute(
      `UPDATE rail_accounts SET rebound_at = now() - interval '5 minutes', first_with = NULL, first_since = NULL`,
    );
    expect(await isElsewhere()).toBe(true);
    await bind('claim_rail', 'two');
    await bind('claim_rail', 'one');
    expect(await isElsewhere()).toBe(true);
    await unnoted(60);
    expect(await isElsewhere()).toBe(false);
    await bind('claim_rail', 'two');
    expect(await isElsewhere()).toBe(true);
    await bind('claim_rail', 'one');
    expect(await isElsewhere()).toBe(false);
    // Sent again since, but its code went to another one first: that counts.
    await set(`code_since = now() - interval '10 minutes'`);
    await set('sent_with = NULL');
    expect(await isElsewhere()).toBe(true);
  });
});
