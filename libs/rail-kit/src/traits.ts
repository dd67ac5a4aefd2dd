/** What the core may ask about a rail. It asks these, never the rail's name. */
import type { Custody } from '#libs/domain';

/** When money that is owed to a payee leaves for the rail by itself; always also when it is withdrawn. */
export const RELEASE_TIMINGS = ['on_withdraw', 'on_credit', 'on_payable'] as const;
export type ReleaseTiming = (typeof RELEASE_TIMINGS)[number];

export interface RailTraits {
  custody: Custody;
  /** `at_once`: the provider answers with the outcome, so a request may wait for it. */
  settles: 'at_once' | 'later';
  countries: '*' | readonly string[];
  currencies: '*' | readonly string[];
  floorCents: number;
  /** For how long the provider honours an idempotency code; null: for ever. Past that the core only looks up. */
  keyRetentionSeconds: number | null;
  /** `on_withdraw`: never by itself. `on_credit`: as soon as it is owed. `on_payable`: when the payee becomes payable. */
  releasesOwed: ReleaseTiming;
  /** Rails for tests only: an order may ask, in its reason, to wait for its payee as on other rails. */
  custodyOf?: (reason: string | null) => Custody;
}

export function servesCountry(traits: RailTraits, country: string): boolean {
  return traits.countries === '*' || traits.countries.includes(country);
}

export function servesCurrency(traits: RailTraits, currency: string): boolean {
  return traits.currencies === '*' || traits.currencies.includes(currency);
}
