/**
 * A database restored an hour back: rows that were paid meanwhile over an account that their payee had adopted since are owed here,
 * and their payee is paid over another rail. What the first one lists was not compared with yet.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that may have moved over a rail that was not compared with', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['their own', 'claim_rail'],
    ['another one', 'custodial_a'],
  ])('wait until %s was', async (_, late) => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    await compare(world);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 hour' WHERE rail = $1`, [late]);
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect([await world.status(id), world.rail.calls.length]).toEqual(['authorized', 0]);
  });
});
