/**
 * A database restored an hour back: rows that were paid meanwhile over an account that their payee had adopted since are owed here,
 * and their payee is paid over another rail. What the first one lists was not compared with yet.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { codeOfRows, isListedBy, OwedScene, startOwedWorld } from '../testing/src';

describe('rows that may have moved over a rail that was not compared with', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await compare(world);
  });

  /** As it is while a rail cannot be read, and once a backup was put back and all others were compared with. */
  const isLate = (rail: string): Promise<unknown> =>
    world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 hour' WHERE rail = $1`, [rail]);
  const isRestored = (rail: string): Promise<unknown> =>
    world.db.execute(
      `UPDATE rail_scans SET restored_at = now() - interval '10 minutes', scanned_until = CASE rail WHEN $1 THEN now() - interval '1 hour' ELSE now() END`,
      [rail],
    );
  const withdrawn = async (scene: OwedScene): Promise<string> => ((await scene.withdraw()) as [Payout])[0].id;
  const rows = async (country = 'DE'): Promise<string> => {
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    return withdrawn(scene);
  };
  const driven = async (id: string): Promise<string> => {
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    return `${await world.status(id)} ${world.rail.calls.length}`;
  };

  test('wait until their own rail was', async () => {
    await isLate('claim_rail');
    expect(await driven(await rows())).toBe('authorized 0');
  });

  test('wait for no other one that cannot be read, as long as no backup was put back', async () => {
    await isLate('custodial_a');
    expect(await driven(await rows())).toBe('paid 1');
  });

  test.each(['DE', 'ES'])('wait until each rail was once one was put back, and go on then (%s)', async (country) => {
    await isRestored('custodial_a');
    const id = await rows(country);
    expect(await driven(id)).toBe('authorized 0');
    await compare(world);
    expect(await driven(id)).toBe('paid 1');
  });

  test('are held if that comparison finds them, also with one more', async () => {
    await isRestored('custodial_a');
    const scene = await OwedScene.of(world, client, 'DE');
    const code = await codeOfRows(world, scene, await scene.push(6_000));
    await scene.push(1_000);
    const id = await withdrawn(scene);
    expect(await driven(id)).toBe('authorized 0');
    await isListedBy(world, 'custodial_a', code);
    expect(await driven(id)).toBe('held 0');
  });

  test('wait for what was sent right before the service stopped: a list may not have it yet', async () => {
    await isRestored('custodial_a');
    const restoredAgo = (minutes: number) =>
      world.db.execute(`UPDATE rail_scans SET restored_at = now() - $1::int * interval '1 minute'`, [minutes]);
    await restoredAgo(0);
    const scene = await OwedScene.of(world, client, 'DE');
    const code = await codeOfRows(world, scene, await scene.push(6_000));
    await scene.push(1_000);
    const id = await withdrawn(scene);
    await compare(world);
    expect(await driven(id)).toBe('authorized 0');
    await restoredAgo(10);
    await isListedBy(world, 'custodial_a', code);
    expect(await driven(id)).toBe('held 0');
  });

  test('are all that waits: a payout of the caller goes to a rail that knows its code', async () => {
    await isRestored('custodial_a');
    const { id } = await world.pay(client, await world.payee(client, { country: 'DE' }));
    expect(await driven(id)).toBe('paid 1');
  });

  test('wait for no rail that is no longer configured', async () => {
    await world.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ('gone', now() - interval '1 hour', now())`,
    );
    expect(await driven(await rows())).toBe('paid 1');
  });
});
