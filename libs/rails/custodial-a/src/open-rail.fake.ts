/** custodial_a with a store and a log of its own, before a simulated Stripe. */
import type { RailOrder } from '#libs/rail-kit';
import { type FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, type stripeWorld } from './custodial-a.world.fake';

export type StripeWorld = Awaited<ReturnType<typeof stripeWorld>>;

export const openRail = ({ settings }: StripeWorld, clock: FixedClock): CustodialARail =>
  custodialA.create({
    ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
    ...{ hint: async () => undefined, settings },
  }) as CustodialARail;

/** To a payee who has an account there. */
export const newOrder = (): RailOrder =>
  testOrder(custodialA.traits, { currency: 'EUR', amountCents: 1_005, accountId: PAYEE });
