/**
 * Our records come from a backup, PayPal denied the batch of that name, and the same call went on to the next name. It pays the first one
 * after all.
 */
import type { RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const AMOUNT = 1_005;

test('a batch that was followed within a call, and that PayPal pays after all, is told beside the one that follows it', async () => {
  const clock = new FixedClock();
  const world = await paypalWorld(clock);
  const asked: RailOrder = testOrder(claimRail.traits, { currency: 'USD', amountCents: AMOUNT });
  const rail = () =>
    claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    });
  world.paypal.register(asked.payee.email ?? '');
  world.paypal.state.balances.USD = 0;
  await rail().submit(asked);
  clock.advance(61);
  world.paypal.state.balances.USD = 100_000;
  const restored = rail(); // it knows nothing of that call
  await restored.submit(asked);
  const [first] = world.paypal.sentAs(asked.railKey).filter(({ senderBatchId }) => senderBatchId === asked.railKey);
  if (!first) throw new Error('It was not sent.');
  expect(world.paypal.sentAs(asked.railKey)).toHaveLength(2);
  await restored.lookup(asked);
  world.paypal.books.payAfterAll(first, clock.now());
  expect(await restored.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: 2 * AMOUNT } });
  await world.close?.();
});
