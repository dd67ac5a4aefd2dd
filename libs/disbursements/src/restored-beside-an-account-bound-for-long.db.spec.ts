/**
 * A database that was restored, and a rail that lists nothing, whose account of before was left within thirty days before the backup: it may have been bound
 * again in the time that was lost, so what a caller asked for waits (ADR 106, operating.md: "or was within thirty days before the restore"), however long that
 * account had been bound before it was left. Its place in a list says nothing of that: it has none.
 */
import type { Client } from '#libs/clients';
import { boundTo, isRestored, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const RAIL = 'claim_rail';

describe('a payout of the caller that an account of before paid in the time that was lost', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([1, 60])('is not paid by another one, if that was bound for %s days', async (days) => {
    for (const table of ['rail_accounts', 'rail_scans', 'scans_of_accounts'])
      await world.db.execute(`DELETE FROM ${table}`);
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await boundTo(world, RAIL, `payer ${days}`);
    await world.db.execute(`UPDATE rail_accounts SET bound_at = now() - $1::int * interval '1 day'`, [days]);
    await boundTo(world, RAIL, `successor ${days}`); // a moment before the backup
    const { payee } = await OwedScene.of(world, client, 'DE');
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
    const { id } = await world.pay(client, payee, 6_000, `held in the backup ${days}`);
    await isRestored(world); // meanwhile `payer` was bound again, paid it, and was left again
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [payee.id]);
    const again = await world.pay(client, payee, 6_000, `key of a moment ago ${days}`);
    for (const each of [id, again.id]) if ((await world.status(each)) === 'authorized') await world.drive(each);
    expect(world.rail.calls.length).toBe(0);
  });
});
