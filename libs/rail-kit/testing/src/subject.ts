/** What a rail's spec hands to the conformance suite: the rail, and a provider that does what it is told. */
import type { AccountDetails, RailDefinition, RailOrder, RailStore } from '#libs/rail-kit';
import type { FixedClock } from './fixed-clock';

/** How the provider meets the first call about an order; afterwards it behaves. */
export const PROVIDER_OUTCOMES = [
  'settle',
  'accept',
  'refuse_permanent',
  'refuse_transient',
  /** Refused because the rail's own balance at the provider is short. */
  'refuse_funding',
  /** Refused because the payee's account cannot take it. */
  'refuse_account',
  /** Refused because our credentials are not good, or not any more. */
  'refuse_credentials',
  /** It does nothing, and wants to be left alone for a while: too many calls, or maintenance. */
  'not_now',
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
  /** It does the work, all calls of it; the first question about it afterwards gets a 5xx. */
  'lookup_down',
  /** It opens the account, and the answer never arrives. */
  'open_lost_answer',
  /** It opens none: the person, or their country, is not one that it serves. */
  'open_refused',
  /** It opens none for now, and wants to be left alone for a while. */
  'open_not_now',
  /** It calls us when an account changed, and names it. */
  'account_notice',
  /** It takes more than one call, and all go well. */
  'in_legs',
  /** The same, and the provider refuses the second one: what is out has to be pulled back. */
  'leg_refused',
  /** The provider does the second one, and the answer never arrives. */
  'leg_lost_answer',
  /** A 5xx to the second one. */
  'leg_server_error',
  /** The first call brings the money to where it waits for its payee, and what they begin goes well. */
  'payee_begins',
  /** The same, and the provider refuses the first call that they begin: the money still waits. */
  'begun_refused',
  /** The provider does what they begin, and the answer never arrives. */
  'begun_lost_answer',
  /** The provider does what they begin, and wants to be left alone when it is asked next what became of it. */
  'begun_read_later',
  /** The first call brings the money to where it waits, and the first question about its payee gets a 5xx. */
  'check_down',
  /** Of what it sends back after it was paid something is kept, and it says how much. */
  'bounce_keeps',
  /** It refuses in words of which its documentation says nothing, such as the code `UNKNOWN_WORD`. */
  'unknown_code',
  /** It takes it, and refuses it only later: once `refused` happens. */
  'refused_later',
  /** It takes it, and calls its state `UNKNOWN_WORD` from then on, whenever it is asked. */
  'unknown_state',
  /** With `not_now` and `open_not_now` it says for how long, as a rule in `Retry-After`: it is `REST_SECONDS`. */
  'says_how_long',
  /** It pays, and what it lists comes page by page: from now on no more than `ON_A_PAGE` of them at once. */
  'pages',
  /** Of whom it did not let through it says so, and not only that they cannot be paid. */
  'rejection',
  /** Of whom it did not let through it says why. */
  'rejection_reason',
  /** Its books outlive ours: a rail whose store is empty, as after a restore of the database, sends again what was paid, and nothing moves. */
  'restored',
  /** The same, and who asks then is told as well. */
  'restored_asked',
  /** Its API or its keys tell whether money is real there, also on this machine. */
  'live_mode',
] as const;
/** What a simulated provider says of which no rail can have heard. */
export const UNKNOWN_WORD = 'never_heard_of';
export const REST_SECONDS = 7;
export const ON_A_PAGE = 3;
export type ProviderOutcome = (typeof PROVIDER_OUTCOMES)[number];
/** How it meets the first call that opens an account under a key; afterwards it opens it. */
export type OpeningOutcome = Extract<ProviderOutcome, `open_${string}`>;

/** What the provider really moved, from its own books and not from the rail's. */
export interface ProviderMovement {
  amountCents: number;
  currency: string;
}

/** What becomes of a payment later, at the provider, without a call of ours. */
export type ProviderEvent =
  | { kind: 'settles' }
  /** The provider, or the bank, says no to what was taken: it will not be paid. */
  | { kind: 'refused' }
  /** The payee did not come for it in time. */
  | { kind: 'expires' }
  /** The bank sent it back, and kept so much. What is no amount is what a provider may say by mistake. */
  | { kind: 'bounces'; feeCents: number };

/** What becomes of an account at the provider, without a call of ours. */
export type AccountEvent =
  | { kind: 'verified' }
  /** Whoever was checked was not let through, and may try again. */
  | { kind: 'rejected'; reason: string };

/** What the provider finds out about a payee, without a call of ours. */
export type CheckEvent =
  | { kind: 'cleared' }
  | { kind: 'checking' }
  /** They were not let through, and may try again. */
  | { kind: 'rejected'; reason: string };

/** What lies in the rail's own account, in minor units. */
export interface HeldFunds {
  currency: string;
  /** Can be paid out at once. */
  availableCents: number;
  /** Lies there as well, or is on its way, and cannot be paid out yet. A provider that tells no such thing leaves it out. */
  pendingCents: number;
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
  /** Required of a rail whose payments settle later, come back or expire: the provider does it now, and tells nobody. */
  happens?(railKey: string, event: ProviderEvent): void | Promise<void>;
  /** What reached a bank, or whatever the payee is paid at, once for each time. */
  movements(railKey: string): ProviderMovement[] | Promise<ProviderMovement[]>;
  /** Required of a rail that moves in legs: what left its own account for this payment and did not come back, wherever it is. */
  out?(railKey: string): number | Promise<number>;
  /** Required of a rail that lets payees begin. */
  destinations?: DestinationsWorld;
  /** Required of a rail that checks payees: the provider finds it out now, of the payee of this order, and tells nobody. */
  finds?(order: RailOrder, event: CheckEvent): void | Promise<void>;
  /** Required of a rail that reads accounts, opens them or hosts their onboarding. */
  accounts?: AccountsWorld;
  /**
   * Required of a rail that reports funding: from now on so much lies in its own account, in this currency. `false`: an account at
   * this provider never holds that currency.
   */
  holds?(funds: HeldFunds): void | boolean | Promise<void | boolean>;
  /** Required of a rail that reads notices: a genuine one about this order. */
  notice?(order: RailOrder): RailNotice | Promise<RailNotice>;
  close?(): void | Promise<void>;
}

export interface DestinationsWorld {
  /** Two addresses, as payees enter them, and one that the rail's check refuses. */
  good: readonly [string, string];
  bad: string;
  /** Where the money of this payment arrived, in the form that the rail's check gives, once for each time. */
  reached(railKey: string): string[] | Promise<string[]>;
}

export interface AccountsWorld {
  payable: string;
  foreign: string;
  /** What the provider tells of the payable one; null if it tells nothing that a person recognises. */
  details: AccountDetails | null;
  /** The provider does it now, and tells nobody. */
  becomes(accountId: string, event: AccountEvent): void | Promise<void>;
  /** Required of a rail that opens accounts: how the first call under this key is met. */
  arrange?(outcome: OpeningOutcome, key: string): void | Promise<void>;
  /** Required as well: how many accounts the provider opened since it began, from its own books. */
  opened?(): number | Promise<number>;
  /** Required of a rail that reads notices, if its provider calls about accounts: a genuine one about this account. */
  notice?(accountId: string): RailNotice | Promise<RailNotice>;
}

export interface WorldParts {
  store: RailStore;
  clock: FixedClock;
  /** Asked of rails that verify their credentials: a world of another account of the provider, in which money is real. */
  whose?: 'another';
}

export interface RailSubject {
  definition: RailDefinition;
  /** What this provider can never do, each with the reason. Everything else is put to the test. */
  cannot: Partial<Record<ProviderOutcome, string>>;
  /** Of a rail that verifies its credentials: the secret settings that no question to the provider can check, each with the reason. */
  cannotVerify?: Readonly<Record<string, string>>;
  /** A fresh provider with empty books. */
  world(parts: WorldParts): Promise<RailWorld>;
}
