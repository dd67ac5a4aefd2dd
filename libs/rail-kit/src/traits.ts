/** What the core may ask about a rail. It asks these, never the rail's name. */
import type { Custody } from '#libs/domain';
import type { AmountRule } from './amounts';
import type { CheckTiming } from './payee-checks';

/** When money that is owed to a payee leaves for the rail by itself; always also when it is withdrawn. */
export const RELEASE_TIMINGS = ['on_withdraw', 'on_credit', 'on_payable'] as const;
export type ReleaseTiming = (typeof RELEASE_TIMINGS)[number];

export interface Returns {
  /** For so long after it was paid. Until then the rail is asked about each payout from time to time. */
  withinSeconds: number;
  /**
   * The rail's list of movements shows returned money within a day: then nobody asks payout by payout. false for money that comes back to
   * the payee's account first, and has to be pulled back from there.
   */
  listed: boolean;
}

export interface RailTraits {
  custody: Custody;
  /** `at_once`: the provider answers with the outcome, so a request may wait for it. */
  settles: 'at_once' | 'later';
  /** Which countries it pays to; as a table, also in which currencies, `*` being every country without a line of its own. */
  countries: '*' | readonly string[] | Readonly<Record<string, '*' | readonly string[]>>;
  currencies: '*' | readonly string[];
  /** In the minor units of any currency that has no least amount of its own. */
  floorCents: number;
  /** What a payout in a currency has to look like, if its amounts are not free. */
  amounts?: Readonly<Record<string, AmountRule>>;
  /** For how long the provider honours an idempotency code; null: for ever. Past that the core only looks up. */
  keyRetentionSeconds: number | null;
  /**
   * Each later call begins by asking the provider what is there, and repeats nothing whose key is forgotten. So it is made for as
   * long as its rail asks for it, and not only while its key is honoured.
   */
  looksBeforeCalls?: true;
  /** Whether money can still come back after it was paid; null: never. */
  returns: Returns | null;
  /** How long after money moved the provider may not list it yet. Some minutes are always granted. */
  listsWithinSeconds?: number;
  /** How many days after it was sent money is in a payee's account as a rule, for their own eyes; left out if nobody can say. */
  arrivesWithinDays?: number;
  /** How many days after it was sent money goes back that its payee did not claim; left out if it waits on, or nobody claims it. */
  claimedWithinDays?: number;
  /** Its provider as payees know it: who writes to them, or shows them its pages; left out if they never hear of it. */
  knownAs?: string;
  /** How many calls a second the provider allows, of all processes together; no limit if nothing is said. */
  callsPerSecond?: number;
  /** `on_withdraw`: never by itself. `on_credit`: as soon as it is owed. `on_payable`: when the payee becomes payable. */
  releasesOwed: ReleaseTiming;
  /**
   * Where payees of a custody-free rail act: on a page of the core's, whose link is there as soon as a payout is authorized. Left out
   * by a rail that tells a link of its own once it waits for them.
   */
  claimPage?: 'core';
  /** When the provider checks payees before their money goes on from where it waits, if the rail can. Left out: never. */
  checksPayees?: CheckTiming;
  /** Rails for tests only: an order may ask, in its reason, to wait for its payee as on other rails. */
  custodyOf?: (reason: string | null) => Custody;
}

/** The traits that a deployment's settings may change. Who holds the money, and how it moves, never depends on them. */
export type AdjustableTraits = Pick<
  RailTraits,
  'countries' | 'currencies' | 'floorCents' | 'amounts' | 'callsPerSecond' | 'keyRetentionSeconds' | 'returns'
>;

export function servesCountry({ countries }: Pick<RailTraits, 'countries'>, country: string): boolean {
  if (countries === '*') return true;
  return isList(countries) ? countries.includes(country) : lineOf(countries, country) !== undefined;
}

/** In that country, or in any. */
export function servesCurrency(
  { countries, currencies }: Pick<RailTraits, 'countries' | 'currencies'>,
  currency: string,
  country: string | null = null,
): boolean {
  if (currencies !== '*' && !currencies.includes(currency)) return false;
  if (countries === '*' || isList(countries)) return true;
  const lines = country === null ? Object.values(countries) : [lineOf(countries, country) ?? []];
  return lines.some((line) => line === '*' || line.includes(currency));
}

type Table = Exclude<RailTraits['countries'], '*' | readonly string[]>;

const isList = (countries: Exclude<RailTraits['countries'], '*'>): countries is readonly string[] =>
  Array.isArray(countries);

const lineOf = (table: Table, country: string): '*' | readonly string[] | undefined =>
  Object.hasOwn(table, country) ? table[country] : table['*'];
