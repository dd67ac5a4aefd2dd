/**
 * Two admins bind a rail at once, to accounts of its provider that are not the one of now: the one that was bound for a moment keeps the place that its
 * list was compared up to. What it moved meanwhile, after it had refused it, is named once it is bound again ("done when"), as in bound-back.
 */
import type { Client } from '#libs/clients';
import { Db } from '#libs/db';
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { RailIdentity } from '#libs/rail-registry';
import { boundTo, type MoneyWorld, refused } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

const RAIL = 'custodial_a';
const MINUTE_MS = 60_000;

describe('a rail that two admins bind at once', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const rebind = (account: string) => world.get(RailIdentity).rebind(RAIL, { account, mode: 'live' });
  const minutesPass = async (id: string, minutes: number): Promise<void> => {
    await world.age(id, minutes * 60);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - $2 * interval '1 minute' WHERE id = $1`, [
      id,
      minutes,
    ]);
    for (const scans of ['rail_scans', 'scans_of_accounts'])
      await world.db.execute(`UPDATE ${scans} SET scanned_until = scanned_until - $1 * interval '1 minute'`, [minutes]);
  };

  test.each(['one after the other', 'at once'])('%s', async (how) => {
    await boundTo(world, RAIL, `right ${how}`);
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    await compare(world);
    await boundTo(world, RAIL, `wrong ${how}`);
    await minutesPass(id, 60);
    await compare(world);
    const db = world.get(Db);
    let commits = (): void => undefined;
    const mayCommit = new Promise<void>((resolve) => (commits = resolve));
    let isBound = (): void => undefined;
    const bound = new Promise<void>((resolve) => (isBound = resolve));
    const first = db.inTransaction(async () => {
      await rebind(`right ${how}`);
      isBound();
      if (how === 'at once') await mayCommit;
    });
    await (how === 'at once' ? bound : first);
    const second = db.inTransaction(() => rebind(`wrong too ${how}`));
    if (how === 'at once') {
      let waits = 0;
      while (waits === 0)
        [{ waits } = { waits: 0 }] = (await world.db.rows<{ waits: number }>(
          `SELECT count(*)::int AS waits FROM pg_locks WHERE NOT granted`,
        )) as [{ waits: number }];
    }
    commits();
    await Promise.all([first, second]);
    expect((await world.get(RailIdentity).bound(RAIL))?.account).toBe(`wrong too ${how}`);
    const { railKey, amountCents } = await world.payout(id);
    const movedAt = new Date(systemClock.now().getTime() - 30 * MINUTE_MS);
    await boundTo(world, RAIL, `wrong too ${how}`);
    world.rail.moved = [];
    await compare(world);
    await boundTo(world, RAIL, `right ${how}`);
    world.rail.moved = [{ rail: RAIL, railKey, providerRef: 'ref', amountCents, currency: 'USD', movedAt }];
    await compare(world);
    await compare(world);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(open.some(({ payoutId }) => payoutId === id) || (await world.status(id)) !== 'failed').toBe(true);
    world.rail.reset();
  });
});
