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

  const bind = (rail: string, account: string) => world.get(RailIdentity).rebind(rail, { account, mode: 'live' });
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

  test('is another one at another rail', async () => {
    await set('code_since = now()');
    await set(`provider = 'swap_rail', code_since = now() + interval '1 second'`);
    expect(await sentWith()).toBe('live other');
    await set(`provider = 'gift_rail', code_since = NULL`);
    expect(await sentWith()).toBeNull();
    await set('submitted_at = now()');
    expect(await sentWith()).toBeNull(); // that does not tell whose credentials it has
  });

  test('is told by the times alone if an earlier version did not note it', async () => {
    await set(`submitted_at = now(), code_since = now(), attempt = 1, status = 'submitted'`);
    await set('sent_with = NULL');
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    expect((await world.payout(id)).sentElsewhere).toBe(false);
    await bind('claim_rail', 'two');
    expect((await world.payout(id)).sentElsewhere).toBe(true);
    await set('code_since = now()');
    expect(await sentWith()).toBeNull();
  });
});
