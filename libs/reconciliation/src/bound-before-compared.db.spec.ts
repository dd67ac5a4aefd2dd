/**
 * As bound-back, but the wrong account is bound before the right one was ever compared with: there is no place yet that its list was left at. What the
 * right one moved meanwhile, after it had refused it, is named all the same ("done when": no failed payout whose money moved stays unnoticed).
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { boundTo, type MoneyWorld, refused } from '#libs/payouts/testing';
import { anHourPasses, compare, startReconciledWorld } from '../testing/src';

const RAIL = 'custodial_a';
const MINUTE_MS = 60_000;

describe('what a rail that was never compared with moved while another account of its provider was bound', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** A sandbox account may have the name of the one for real money: it is another one, with a list of its own. */
  const bind = (account: string) =>
    account === 'right, in its sandbox' ? boundTo(world, RAIL, 'right', 'sandbox') : boundTo(world, RAIL, account);

  test.each(['right', 'wrong', 'right, in its sandbox'])(
    'is named, though nothing was compared before: the %s one was bound meanwhile',
    async (meanwhile) => {
      await world.db.execute('DELETE FROM rail_scans WHERE rail = $1', [RAIL]);
      await bind('right');
      const payee = await world.payee(client, { country: 'FR' });
      await world.adopt(client, payee);
      const { id } = await world.pay(client, payee);
      world.rail.answers = () => refused();
      await world.drive(id);
      expect(await world.status(id)).toBe('failed');
      expect(await world.db.row('SELECT FROM rail_scans WHERE rail = $1', [RAIL])).toBeNull();
      await bind(meanwhile);
      await anHourPasses(world, id);
      const { railKey, amountCents } = await world.payout(id);
      // Half an hour ago the right one paid it.
      const movedAt = new Date(systemClock.now().getTime() - 30 * MINUTE_MS);
      const moved = [{ rail: RAIL, railKey, providerRef: 'ref', amountCents, currency: 'USD', movedAt }];
      world.rail.moved = meanwhile === 'right' ? moved : [];
      await compare(world);
      await bind('right');
      world.rail.moved = moved;
      await compare(world);
      await compare(world);
      const open = await world.get(DriftReads).list({ open: true }, null, 100);
      const isNoticed = open.some(({ payoutId }) => payoutId === id) || (await world.status(id)) !== 'failed';
      expect(isNoticed).toBe(true);
      world.rail.reset();
    },
  );
});
