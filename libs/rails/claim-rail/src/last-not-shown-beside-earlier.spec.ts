/**
 * PayPal denied a batch, took the next one on and pays it, and pays the first one after all. When it is asked, it shows the first one, and
 * not the last one for a moment (an outage of a second, or a limit of its own). Nobody knows then that only one is out.
 */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const AMOUNT = 1_005;

describe.each([
  ['does not answer', 503],
  ['wants a rest', 429],
])('claim_rail, whose last batch is known, while PayPal %s when it is asked for that one', (_, status) => {
  it.each(['looked up', 'looked up at rest'])(
    'an earlier one that is out is not told as all there is: %s',
    async (how) => {
      const clock = new FixedClock();
      const world = await paypalWorld(clock);
      const rail = claimRail.create({
        ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
        ...{ hint: async () => undefined, settings: world.settings },
      });
      const asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: AMOUNT });
      world.paypal.register(asked.payee.email ?? '');
      world.paypal.state.balances.USD = 0;
      await rail.submit(asked);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      clock.advance(61);
      world.paypal.state.balances.USD = 100_000;
      await rail.submit(asked); // taken on; its process died before anybody here wrote down what it said
      const [first, last] = [asked.railKey, `${asked.railKey}:2`].map((name) =>
        world.paypal.sentAs(asked.railKey).find(({ senderBatchId }) => senderBatchId === name),
      );
      if (!first || !last) throw new Error('They were not sent.');
      world.paypal.books.payAfterAll(first, clock.now());
      clock.advance(5);
      const match = { method: 'GET', path: `/v1/payments/payouts/${last.batchId}` };
      world.paypal.faults.ask({ effect: 'answer', match, answer: { status, body: {} } });
      const call =
        how === 'looked up' ? undefined : { signal: new AbortController().signal, movesNothing: 'at_rest' as const };
      const told = await rail.lookup(asked, call);
      expect(world.paypal.sentAs(asked.railKey).map((each) => each.status)).toEqual(['SUCCESS', 'SUCCESS']);
      expect(told).not.toMatchObject({ kind: 'settled', echo: { amountCents: AMOUNT } });
      await world.close?.();
    },
  );
});
