/**
 * Adyen refused many rounds of a payout (hours without funds). They are asked about together, as PayPal's batches and Tremendous's orders are: a
 * withdrawal, or a second look, waits for three seconds, and an answer may take half of one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FixedClock, memoryRailStores, testOrder } from '#libs/rail-kit/testing';
import type { AdyenClient } from './adyen.client';
import { AdyenSight } from './adyen.sight';
import { custodialB } from './custodial-b';
import { PAYEE } from './custodial-b.world.fake';
import { referenceOf } from './references';

const ROUNDS = 20;
const PLATFORM = 'BA_PLATFORM';

it('custodial_b asks for twenty rounds in a few trips to Adyen', async () => {
  const clock = new FixedClock();
  const order = testOrder(custodialB.traits, { currency: 'EUR', amountCents: 2_005, accountId: PAYEE });
  const rounds = Array.from({ length: ROUNDS }, (_, nth) => referenceOf(order.railKey, nth + 1));
  const fund = (reference: string) => ({
    ...{ id: `TR_${reference}`, reference, status: 'refused', reason: 'notEnoughBalance', direction: 'outgoing' },
    ...{ category: 'internal', amount: { value: 2_005, currency: 'EUR' }, createdAt: clock.now().toISOString() },
    ...{ balanceAccount: { id: PLATFORM }, counterparty: { balanceAccountId: 'BA_PAYEE' } },
  });
  let trips = 0;
  let trip: Promise<void> | null = null;
  /** All who ask before anybody is answered are answered together. */
  const transfers = async ({ reference = '' }: Record<string, string>): Promise<unknown> => {
    trip ??= nextTurn()
      .then(() => nextTurn())
      .then(() => {
        trip = null;
        trips += 1;
      });
    await trip;
    return { kind: 'done', found: { data: rounds.includes(reference) ? [fund(reference)] : [] } };
  };
  const sight = new AdyenSight({
    ...{ client: { transfers } as unknown as AdyenClient, store: memoryRailStores(clock)('custodial_b'), clock },
    ...{ balancePlatform: 'Platform', balanceAccount: PLATFORM },
  });
  const look = () => sight.look(order, { signal: new AbortController().signal, movesNothing: 'at_rest' });
  expect(await look()).toMatchObject({ kind: 'seen', next: ROUNDS + 1 });
  trips = 0; // that was the first time, when nobody knew how many there are
  expect(await look()).toMatchObject({ kind: 'seen', next: ROUNDS + 1 });
  expect(trips).toBeLessThanOrEqual(4);
});
