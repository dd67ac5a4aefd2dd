/** The cap of a day holds whatever crosses, and what a balance keeps of the day is what its payouts come to. */
import type { QueryRunner } from 'typeorm';
import type { Client } from '#libs/clients';
import { MIGRATIONS } from '#libs/db';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

describe('the cap of a day', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ caps: { dailyCents: 10_000 } });
  });
  afterAll(() => world.stop());

  const payee = (): Promise<Payee> => world.payee(client, { country: 'DE' });
  const kept = async ({ id }: Payee): Promise<number | undefined> =>
    (await world.db.row<{ dayCents: number }>('SELECT day_cents FROM balances WHERE payee_id = $1', [id]))?.dayCents;
  const summed = async ({ id }: Payee): Promise<number> => {
    const row = await world.db.row<{ cents: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payouts
       WHERE payee_id = $1 AND authorized_on IS NOT NULL AND status NOT IN ('held', 'failed')`,
      [id],
    );
    return row?.cents ?? 0;
  };

  const tomorrow = async (): Promise<string | undefined> =>
    (await world.db.row<{ day: string }>(`SELECT ((now() AT TIME ZONE 'utc')::date + 1)::text AS day`))?.day;

  test('holds when many payouts of a payee are asked for at once', async () => {
    const one = await payee();
    const payouts = await Promise.all(Array.from({ length: 25 }, () => world.pay(client, one, 900)));
    const through = payouts.filter(({ status }) => status !== 'held');
    expect(through).toHaveLength(11);
    expect([await kept(one), await summed(one)]).toEqual([9_900, 9_900]);
  });

  test('has room again for what a rail refused', async () => {
    const one = await payee();
    const { id } = await world.pay(client, one, 9_000);
    expect(await kept(one)).toBe(9_000);
    world.rail.answers = () => refused('permanent');
    await world.drive(id);
    world.rail.answers = null;
    expect((await world.payout(id)).status).toBe('failed');
    expect(await kept(one)).toBe(0);
    expect((await world.pay(client, one, 9_500)).status).not.toBe('held');
    expect([await kept(one), await summed(one)]).toEqual([9_500, 9_500]);
  });

  test('is that of the next day for who comes after a payout of it', async () => {
    const one = await payee();
    await world.pay(client, one, 9_000);
    await world.db.execute('UPDATE balances SET day = day + 1 WHERE payee_id = $1', [one.id]);
    expect((await world.pay(client, one, 2_000)).status).toBe('held');
    const { authorizedOn } = await world.pay(client, one, 900);
    expect([await kept(one), authorizedOn]).toEqual([9_900, await tomorrow()]);
  });

  test('is counted by the migration as by whoever pays', async () => {
    const one = await payee();
    for (const cents of [1_000, 2_000, 8_000]) await world.pay(client, one, cents);
    expect(await kept(one)).toBe(3_000);
    const runner = { query: (sql: string) => world.db.execute(sql) } as unknown as QueryRunner;
    const [Migration] = MIGRATIONS.filter(({ name }) => name.startsWith('WhatADayHolds'));
    if (!Migration) throw new Error('The migration has another name.');
    const migration = new Migration();
    await migration.down(runner);
    await migration.up(runner);
    expect(await kept(one)).toBe(3_000);
  });
});
