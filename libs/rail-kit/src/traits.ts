/** What the core may ask about a rail. It asks these, never the rail's name. */
import type { Custody } from '#libs/domain';

export interface RailTraits {
  custody: Custody;
  /** `at_once`: the provider answers with the outcome, so a request may wait for it. */
  settles: 'at_once' | 'later';
  countries: '*' | readonly string[];
  currencies: '*' | readonly string[];
  floorCents: number;
  /** For how long the provider honours an idempotency code; null: for ever. Past that the core only looks up. */
  keyRetentionSeconds: number | null;
}

export function servesCountry(traits: RailTraits, country: string): boolean {
  return traits.countries === '*' || traits.countries.includes(country);
}

export function servesCurrency(traits: RailTraits, currency: string): boolean {
  return traits.currencies === '*' || traits.currencies.includes(currency);
}
