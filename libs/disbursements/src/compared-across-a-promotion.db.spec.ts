/**
 * A comparison reads a rail's list while its database goes back to an hour ago: a standby far behind is promoted, or it is recovered up to some
 * moment. It ends in the database of an hour ago, and must not say there that the list was compared with until now (ADR 129).
 */
import type { Client } from '#libs/clients';
import { openDb } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { codeOfRows, OwedScene, startOwedWorld } from '../testing/src';

const HALF_AN_HOUR_MS = 30 * 60_000;

describe('a comparison that is under way while its database goes back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await compare(world);
  });
  afterAll(() => world.stop());

  /** The next connection finds it elsewhere, and marks it. */
  const goesBack = async (): Promise<void> => {
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 hour', restored_at = NULL`);
    await world.db.execute(`UPDATE database_place SET timeline = '7'`);
    await (await openDb(world.database.url)).close();
  };
  const tenMinutesLater = (): Promise<unknown> =>
    world.db.execute(
      `UPDATE rail_scans SET restored_at = restored_at - interval '10 minutes', scanned_until = least(scanned_until, now() - interval '11 minutes')`,
    );

  test('what was paid in the lost time is found by the next one', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    const railKey = await codeOfRows(world, scene, await scene.push(6_000));
    const movedAt = new Date(systemClock.now().getTime() - HALF_AN_HOUR_MS);
    world.rail.moved = [
      { rail: 'claim_rail', railKey, providerRef: 'first', amountCents: 6_000, currency: 'USD', movedAt },
    ];
    const list = world.rail.movements.bind(world.rail);
    const read = jest.spyOn(world.rail, 'movements').mockImplementationOnce(async (since, until) => {
      const listed = await list(since, until);
      await goesBack();
      return listed;
    });
    await compare(world);
    expect(read).toHaveBeenCalled();
    await tenMinutesLater();
    await compare(world);

    await scene.push(1_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
    expect([await world.status(payout.id), world.rail.calls]).toEqual(['held', []]);
  });
});
