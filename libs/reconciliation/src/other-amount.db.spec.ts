/** A rail that lists no movements says of a failed payout that it paid another amount. */
import { DriftReads } from '#libs/drift';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('money that moved for a failed payout, in another amount', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());

  test.each(['transient', 'permanent'] as const)('is named (%s)', async (failure) => {
    const client = await world.client();
    world.rail.answers = () => refused(failure);
    const { id, railKey } = await world.pay(client, await world.payee(client));
    await world.drive(id);
    const echo = { amountCents: 990, currency: 'USD' };
    world.rail.knows.set(railKey, { kind: 'settled', providerRef: 'ref', settledAt: null, echo });
    await world.lookOnceMore(id);
    await world.get(AskRail).lookUp(await world.payout(id));
    await compare(world);
    const drift = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(drift.filter(({ payoutId }) => payoutId === id)).not.toEqual([]);
  });
});
