/** What a rail's spec hands to the conformance suite: the rail, and a provider that does what it is told. */
import type { RailDefinition, RailOrder, RailStore } from '#libs/rail-kit';
import type { FixedClock } from './fixed-clock';

/** How the provider meets the first call about an order; afterwards it behaves. */
export const PROVIDER_OUTCOMES = [
  'settle',
  'accept',
  'refuse_permanent',
  'refuse_transient',
  /** Refused because the rail's own balance at the provider is short. */
  'refuse_funding',
  /** It does the work, and the answer never arrives. */
  'lost_answer',
  /** A 5xx; whether it did the work is the provider's secret. */
  'server_error',
  /** It takes the call and never answers. */
  'hang',
  /** It answers with something that is no answer, such as a proxy's HTML page. */
  'garbage',
  /** It books another amount or currency than was asked for, and says so. */
  'wrong_amount',
  /** It does the work; the first question about it afterwards gets a 5xx. */
  'lookup_down',
] as const;
export type ProviderOutcome = (typeof PROVIDER_OUTCOMES)[number];

/** What the provider really moved, from its own books and not from the rail's. */
export interface ProviderMovement {
  amountCents: number;
  currency: string;
}

export interface RailNotice {
  headers: Record<string, string>;
  body: Buffer;
}

export interface RailWorld {
  /** What a deployment would set, secrets included; time-outs as short as the rail allows. */
  settings: Readonly<Record<string, string>>;
  /** Prepares the provider for this order, and answers the order to send. */
  arrange(outcome: ProviderOutcome, order: RailOrder): RailOrder | Promise<RailOrder>;
  movements(railKey: string): ProviderMovement[] | Promise<ProviderMovement[]>;
  /** Required of a rail that opens accounts. */
  accounts?: { payable: string; foreign: string };
  /** Required of a rail that reads notices: a genuine one about this order. */
  notice?(order: RailOrder): RailNotice | Promise<RailNotice>;
  close?(): void | Promise<void>;
}

export interface WorldParts {
  store: RailStore;
  clock: FixedClock;
}

export interface RailSubject {
  definition: RailDefinition;
  /** What this provider can never do, each with the reason. Everything else is put to the test. */
  cannot: Partial<Record<ProviderOutcome, string>>;
  /** A fresh provider with empty books. */
  world(parts: WorldParts): Promise<RailWorld>;
}
