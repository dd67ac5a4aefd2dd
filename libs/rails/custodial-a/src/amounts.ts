/** How Stripe counts. */
import type { RailTraits } from '#libs/rail-kit';

/** Some in other decimals than ISO 4217, and some it pays out in whole units, or in tens of the smallest ones, only. */
export const AMOUNTS: NonNullable<RailTraits['amounts']> = {
  ...{ ISK: { digits: 2 }, UGX: { digits: 2 }, MGA: { digits: 0 }, HUF: { stepCents: 100 }, TWD: { stepCents: 100 } },
  ...Object.fromEntries(['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((currency) => [currency, { stepCents: 10 }])),
};
