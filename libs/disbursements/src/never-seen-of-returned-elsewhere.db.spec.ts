/**
 * Money came back, and is said to be out again: a difference, and its rows wait until an operator resolves it (point 1). Meanwhile the rail is bound to
 * another account. An admin finds out at the first one that the money is not out, and resolves it with `neverSeen: true`, as the product tells them
 * to ("or have an admin find out there and resolve it with `neverSeen: true`"). Then the rows are owed, and leave.
 */
import type { Client } from '#libs/clients';
import { boundTo, type MoneyWorld, settled } from '#libs/payouts/testing';
import { ResolveDrift } from '#libs/reconciliation';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';
import { SettleDisputed } from './use-cases/settle-disputed';

describe('what came back and was resolved with `neverSeen` beside another account', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const daysPass = async (id: string, days: number): Promise<void> => {
    const since = `- $2 * interval '1 day'`;
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at ${since} WHERE id = $1`, [id, days]);
    const said = `found_at = found_at ${since}, said_at = said_at ${since}, resolved_at = resolved_at ${since}`;
    await world.db.execute(`UPDATE drift SET ${said} WHERE payout_id = $1`, [id, days]);
  };

  test.each([
    ['DE', 'claim_rail', 0],
    ['FR', 'custodial_a', 0],
    ['DE', 'claim_rail', 11],
    ['FR', 'custodial_a', 11],
  ])('leaves once more (%s, %s, after %i days)', async (country, rail, days) => {
    world.rail.reset();
    await boundTo(world, rail, `one ${days}`);
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const payout = await scene.sent();
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    await scene.tells(payout, settled('again') as LookupFact);
    const [line] = await scene.openDrift(payout);
    expect(line).toBeDefined();
    world.rail.knows.clear();
    await boundTo(world, rail, `two ${days}`);
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    await expect(world.get(ResolveDrift).ask(line?.id ?? '', 'owed')).rejects.toThrow('neverSeen: true');
    await world.db.inTransaction(async () => {
      const resolving = world.get(ResolveDrift);
      const { after, payout: locked } = await resolving.run(line?.id ?? '', { by: 'admin', note: null });
      if (locked) await world.get(SettleDisputed).run(locked, after, 'owed', true);
      await resolving.decidedAbout(line?.id ?? '');
    });
    await daysPass(payout.id, days);
    expect(await scene.openDrift(payout)).toEqual([]);
    world.rail.answers = () => settled('two');
    expect(await scene.outcome()).toEqual([6_000]);
  });

  /** A rail that is silent for good, as one that is configured no more. */
  test.each([0, 11])('leaves once more beside a rail that is silent, too (after %i days)', async (days) => {
    world.rail.reset();
    await boundTo(world, 'claim_rail', `silent ${days}`);
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const payout = await scene.sent();
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    await scene.tells(payout, settled('again') as LookupFact);
    const [line] = await scene.openDrift(payout);
    world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'gone' });
    await expect(world.get(ResolveDrift).ask(line?.id ?? '', 'owed')).rejects.toThrow('neverSeen: true');
    await world.db.inTransaction(async () => {
      const resolving = world.get(ResolveDrift);
      const { after, payout: locked } = await resolving.run(line?.id ?? '', { by: 'admin', note: null });
      if (locked) await world.get(SettleDisputed).run(locked, after, 'owed', true);
      await resolving.decidedAbout(line?.id ?? '');
    });
    await daysPass(payout.id, days);
    expect(await scene.openDrift(payout)).toEqual([]);
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
