/**
 * The checks between a payout and its rail, as a ladder of one-line steps in the documented order: the first that says no is the reason.
 * Pure; the caller holds the locks that keep the snapshot true.
 */
import { notImplemented, type ReasonCode } from './reasons';
import { allowed } from './route';

export interface GatePayee {
  email: string | null;
  country: string | null;
  name: string | null;
  blocked: boolean;
  payable: boolean;
}

export interface GateRail {
  name: string;
  implemented: boolean;
  configured: boolean;
  servesCountry: boolean;
  servesCurrency: boolean;
  /** It checks payees, or is not asked to. */
  checksAsAsked: boolean;
}

export interface WhoGates {
  testMode: boolean;
  payee: GatePayee;
  countryBlocked: boolean;
  rail: GateRail | null;
  allowList: readonly string[] | null;
  /** The country the rail account is held in, if the rail tells. */
  accountCountry: string | null;
}

export interface AmountGates {
  amountCents: number;
  singleCapCents: number;
  dailyCapCents: number;
  /** Authorized, submitted or paid to this payee in this currency on this UTC day. */
  usedTodayCents: number;
  floorCents: number;
  bypassFloor: boolean;
  /** Why the rail takes no such amount; null if it does. */
  notTaken: string | null;
  /** null: the client is not prepaid. */
  availableCents: number | null;
}

export interface Blocker {
  to: 'held' | 'failed';
  reason: ReasonCode;
  detail?: string;
}

const hold = (reason: ReasonCode, detail?: string): Blocker => ({ to: 'held', reason, detail });

export function firstBlocker(who: WhoGates, amount: AmountGates): Blocker | null {
  return identityBlockers(who).find(Boolean) ?? amountBlocker(amount);
}

/** Every reason the payee cannot be paid, for the readiness view; the payout takes the first. */
export function identityBlockers(who: WhoGates): Blocker[] {
  const { payee, rail } = who;
  const found: (Blocker | false)[] = [
    !payee.email && hold('missing_email'),
    !payee.country && hold('missing_country'),
    !payee.name && !who.testMode && hold('missing_name'),
    payee.blocked && hold('route_blocked', 'the payee is blocked by the operator'),
    who.countryBlocked && hold('route_blocked', `the country ${payee.country} is blocked by the operator`),
    ...(rail ? railBlockers(who, rail) : [hold('no_rail')]),
    !payee.payable && hold('not_payable'),
  ];
  return found.filter((blocker): blocker is Blocker => blocker !== false);
}

function railBlockers(who: WhoGates, rail: GateRail): (Blocker | false)[] {
  if (!rail.implemented) return [{ to: 'failed', reason: notImplemented(rail.name) }];
  const { payee, accountCountry } = who;
  return [
    !rail.configured && hold('provider_not_configured', rail.name),
    !allowed(rail.name, who.allowList) && hold('rail_not_allowed', rail.name),
    !rail.checksAsAsked && hold('rail_not_allowed', `${rail.name} checks no payees, and the client asks for it`),
    !rail.servesCountry && hold('provider_not_supported', `${rail.name} does not serve ${payee.country}`),
    accountCountry !== null &&
      accountCountry !== payee.country &&
      hold('country_not_supported_by_provider', `the account is in ${accountCountry}, the payee in ${payee.country}`),
    !rail.servesCurrency && hold('currency_not_supported', rail.name),
  ];
}

export function amountBlocker(gates: AmountGates): Blocker | null {
  const { amountCents, singleCapCents, dailyCapCents, usedTodayCents, floorCents } = gates;
  if (amountCents > singleCapCents) return hold('cap_exceeded_single', `${amountCents} is over ${singleCapCents}`);
  if (usedTodayCents + amountCents > dailyCapCents)
    return hold('cap_exceeded_daily', usedToday(usedTodayCents, dailyCapCents));
  if (amountCents < floorCents && !gates.bypassFloor)
    return hold('below_min_payout', `${amountCents} is under ${floorCents}`);
  if (gates.notTaken !== null) return hold('amount_not_supported', gates.notTaken);
  if (gates.availableCents !== null && amountCents > gates.availableCents)
    return hold('insufficient_funds', 'the wallet does not cover the amount');
  return null;
}

const usedToday = (cents: number, capCents: number): string => `${cents} of ${capCents} are used today`;

/** Whether no day has room for it: by the cap that it was held against, which its reason names. */
export function isOverDailyCap(amountCents: number, statusReason: string | null): boolean {
  const [, capCents] = /^cap_exceeded_daily: \d+ of (\d+) are used today$/.exec(statusReason ?? '') ?? [];
  return capCents !== undefined && amountCents > Number(capCents);
}
