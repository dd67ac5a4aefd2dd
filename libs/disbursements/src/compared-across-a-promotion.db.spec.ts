/**
 * A comparison reads a rail's list while its database goes back to an hour ago: a standby far behind is promoted, or it is recovered up to some
 * moment. It ends in the database of an hour ago, and must not say there that the list was compared with until now (ADR 129).
 */
import type { Client } from '#libs/clients';
import { openDb } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { RailMovement } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { compare } from '#libs/reconciliation/testing';
import { codeOfRows, OwedScene, startOwedWorld } from '../testing/src';

interface Lister {
  movements: (since: Date, until?: Date) => Promise<RailMovement[]>;
}

const BEFORE_MS = 45 * 60_000;

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
    const movedAt = new Date(systemClock.now().getTime() - BEFORE_MS);
    world.rail.moved = [
      { rail: 'claim_rail', railKey, providerRef: 'first', amountCents: 6_000, currency: 'USD', movedAt },
    ];
    const registered = world.get(Rails).find('claim_rail') as unknown as { rail: Lister };
    const { rail } = registered;
    const underWay = async (since: Date, until?: Date): Promise<RailMovement[]> => {
      const listed = await rail.movements(since, until);
      await goesBack();
      registered.rail = rail;
      return listed;
    };
    registered.rail = Object.create(rail, { movements: { value: underWay } }) as Lister;
    await compare(world);
    expect(registered.rail).toBe(rail);
    await tenMinutesLater();
    await compare(world);

    await scene.push(1_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
    expect([await world.status(payout.id), world.rail.calls]).toEqual(['held', []]);
  });
});
