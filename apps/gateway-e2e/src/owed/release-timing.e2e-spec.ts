/** When owed money leaves by itself: on the stand-ins, one of each kind, as their traits have it. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient } from '../harness/api';
import { query } from '../harness/database';
import { underTest } from '../harness/api';
import { atTheRail, deposit, payeeWithAccount, putRoutes, readPayout, runJob } from '../harness/money';
import { balanceOf, EMPTY_BALANCE, owe, payoutOf, rowsOf, standing, withdraw } from '../harness/owed';

const live = (settings: Record<string, unknown> = {}): Promise<ApiClient> =>
  newClient({ testMode: false, ...settings });

const allStand = (client: ApiClient, payeeId: string, status: string): Promise<Json[]> =>
  eventually(
    () => rowsOf(client, payeeId),
    (rows) => rows.length > 0 && rows.every((row) => row.status === status),
  );

async function setAccount(account: string, payable: boolean, rail: string): Promise<void> {
  await query(
    underTest().databaseUrl,
    `INSERT INTO rail_records (rail, key, value) VALUES ($1, 'account:' || $2, $3)
     ON CONFLICT (rail, key) DO UPDATE SET value = excluded.value`,
    [rail, account, JSON.stringify({ payable })],
  );
  await query(underTest().databaseUrl, `UPDATE methods SET ask_at = now() WHERE provider_account_id = $1`, [account]);
}

describe('owed money', () => {
  beforeAll(putRoutes);

  test('of a claim rail stays owed until it is withdrawn, and the withdrawal answers the claim link', async () => {
    const client = await live({ statusVersion: 2 });
    const payee = await client.payee({ country: 'DE' });
    const rows = await owe(client, payee.id, [700, 300]);
    expect(payee).toMatchObject({ provider: 'claim_rail', payable: true });
    expect(await standing(client, rows)).toEqual(['owed', 'owed']);
    const { body } = await withdraw(client, payee.id);
    expect(body).toMatchObject({ released: 2, releasedCents: 1_000, held: 0, failed: 0 });
    expect(body.payoutLink).toMatch(/^https:\/\/claim-rail\.example\/claim\//);
    const payout = await payoutOf(client, rows[0] as Json);
    expect(payout).toMatchObject({ status: 'awaiting_withdraw', claimUrl: null, source: 'withdraw' });
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, actionNeededCents: 1_000 });
    await atTheRail(payout.id, { claimed: true });
    await runJob('reconcile');
    await eventually(
      () => readPayout(client, payout.id),
      ({ status }) => status === 'sent',
    );
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, onTheWayCents: 1_000 });
  });

  test('of a swap rail leaves as soon as it is credited, and awaits the payee', async () => {
    const client = await live({ statusVersion: 2 });
    const payee = await client.payee({ country: 'IT' });
    const rows = await owe(client, payee.id, [700, 300]);
    await allStand(client, payee.id, 'released');
    const payout = await eventually(
      () => payoutOf(client, rows[0] as Json),
      ({ status }) => status === 'awaiting_withdraw',
    );
    expect(payout).toMatchObject({ source: 'auto_release', provider: 'swap_rail' });
    expect(payout.events[0]).toMatchObject({ actor: 'system' });
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, actionNeededCents: 1_000 });
    await atTheRail(payout.id, { state: 'settled', settledAt: new Date(0).toISOString() });
    await runJob('reconcile');
    await allStand(client, payee.id, 'paid');
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, landedCents: 1_000 });
  });

  test('that a wallet does not cover leaves when funds come', async () => {
    const client = await live({ prepaid: true });
    const payee = await client.payee({ country: 'IT' });
    await deposit(client, 600);
    const rows = await owe(client, payee.id, [600, 500]);
    await eventually(
      () => standing(client, rows),
      ([first]) => first === 'released',
    );
    expect(await standing(client, rows)).toEqual(['released', 'owed']);
    await deposit(client, 500);
    await allStand(client, payee.id, 'released');
  });

  test.each([
    ['custodial_a', 'FR'],
    ['custodial_b', 'CH'],
  ])('of %s leaves when the payee becomes payable, once however often that is reported', async (rail, country) => {
    const client = await live();
    const account = `acct_${randomUUID()}`;
    await setAccount(account, false, rail);
    const payee = await payeeWithAccount(client, rail, account, { country });
    const early = await owe(client, payee.id, [2_500, 500], { currency: 'EUR' });
    expect((await withdraw(client, payee.id)).body.error).toBe('payee_not_payable');
    await setAccount(account, true, rail);
    await Promise.all(Array.from({ length: 5 }, () => runJob('payability')));
    await eventually(
      () => standing(client, early),
      (all) => all.every((status) => status === 'released'),
    );
    const [first, second] = await Promise.all(early.map((row) => payoutOf(client, row)));
    expect(first.id).toBe(second.id);
    expect(first).toMatchObject({ source: 'auto_release', amountCents: 3_000, provider: rail });
    const later = await owe(client, payee.id, [4_000], { currency: 'EUR' });
    await runJob('payability');
    expect(await standing(client, later)).toEqual(['owed']);
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1, releasedCents: 4_000 });
  });
});
