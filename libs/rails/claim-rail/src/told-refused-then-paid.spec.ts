/**
 * PayPal's answer was lost, a notice named the batch, and PayPal says that it was denied. That batch is one of this payout's from then on: PayPal may pay
 * it after all, and then nothing is sent beside it (1, 18: the note of `#asTold` had no spec).
 */
import type { Notice, Rail, RailOrder, ReadsNotices } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

test('a batch that only a notice named, that was denied, and that PayPal pays after all: nothing is sent beside it', async () => {
  const clock = new FixedClock();
  const world = await paypalWorld(clock);
  const rail = claimRail.create({
    ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
    ...{ hint: async () => undefined, settings: world.settings },
  }) as Rail & ReadsNotices;
  const asked: RailOrder = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
  world.paypal.register(asked.payee.email ?? '');
  world.paypal.state.balances.USD = 0;
  world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
  expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
  await rail.readNotice((await world.notice?.(asked)) as Notice);
  expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'refused', failure: 'funding' });
  world.paypal.state.balances.USD = 1_000_000;
  clock.advance(61);
  const [first] = world.paypal.sentAs(asked.railKey);
  if (!first) throw new Error('It was not sent.');
  world.paypal.books.payAfterAll(first, clock.now());
  expect(await rail.submit(asked)).toMatchObject({ kind: 'settled' });
  expect(world.paypal.sentAs(asked.railKey)).toHaveLength(1);
  await world.close?.();
});
