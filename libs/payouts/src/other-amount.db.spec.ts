/** A rail that lists no movements says of a failed payout that it paid another amount. */
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { DriftReads } from './db/drift.reads';
import { AskRail } from './use-cases/ask-rail';

describe('money that moved for a failed payout, in another amount', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
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
    await world.compare();
    const drift = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(drift.filter(({ payoutId }) => payoutId === id)).not.toEqual([]);
  });
});
