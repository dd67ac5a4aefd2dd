/**
 * A rail is bound to a wrong account of its provider for an hour, and then to the right one again. What that one moved meanwhile, after it had
 * refused it, is named within the minute ("done when": no failed payout whose money moved stays unnoticed): the other account's list did not tell of it.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { boundTo, type MoneyWorld, refused } from '#libs/payouts/testing';
import { anHourPasses, compare, startReconciledWorld } from '../testing/src';

const RAIL = 'custodial_a';
const MINUTE_MS = 60_000;

describe('what a rail moved while another account of its provider was bound', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const bind = (account: string) => boundTo(world, RAIL, account);

  test.each([
    ['no other account was bound', 'right'],
    ['a wrong account was bound meanwhile', 'wrong'],
  ])('is named: %s', async (_, meanwhile) => {
    await bind('right');
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
    await compare(world);
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
  });
});
