/**
 * The right account of a rail is bound again while the list of a wrong one is being read. That comparison counts no more: from where the right one's list was
 * left it has to be gone through, or what it moved since is named by nobody ("done when").
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { boundTo, type MoneyWorld, refused } from '#libs/payouts/testing';
import { anHourPasses, compare, startReconciledWorld } from '../testing/src';

const RAIL = 'custodial_a';
const MINUTE_MS = 60_000;

describe('what a rail moved, whose right account is bound while the list of a wrong one is compared with', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const bind = (account: string) => boundTo(world, RAIL, account);

  test('is named', async () => {
    await bind('right');
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    await compare(world);
    await bind('wrong');
    await anHourPasses(world, id);
    const { railKey, amountCents } = await world.payout(id);
    const movedAt = new Date(systemClock.now().getTime() - 30 * MINUTE_MS);
    const movements = world.rail.movements.bind(world.rail);
    let isBound = false;
    const binding: typeof movements = async (...asked) => {
      const listed = await movements(...asked); // of the wrong one, which moved nothing
      if (!isBound) {
        isBound = true;
        await bind('right');
      }
      return listed;
    };
    Object.assign(world.rail, { movements: binding });
    await compare(world).finally(() => Object.assign(world.rail, { movements }));
    expect(isBound).toBe(true);
    world.rail.moved = [{ rail: RAIL, railKey, providerRef: 'ref', amountCents, currency: 'USD', movedAt }];
    await compare(world);
    await compare(world);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    const isNoticed = open.some(({ payoutId }) => payoutId === id) || (await world.status(id)) !== 'failed';
    expect(isNoticed).toBe(true);
    world.rail.reset();
  });
});
