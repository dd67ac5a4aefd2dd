/** One payment at the mock provider, and every change it can take. Pure: the rail stores what these functions return. */
import { randomUUID } from 'node:crypto';
import type {
  BegunLeg,
  Directive,
  LookupFact,
  OutcomeFact,
  RailLeg,
  RailOrder,
  Refused,
  SubmitFact,
} from '#libs/rail-kit';

/** A type and not an interface, as a record of the store must be. */
export type Payment = {
  /** to_claim, to_withdraw: it waits for its payee, on a page of the core's. */
  state: 'accepted' | 'to_claim' | 'claimed' | 'to_withdraw' | 'settled' | 'refused' | 'bounced';
  providerRef: string;
  amountCents: number;
  currency: string;
  settledAt: string | null;
  failure: Refused['failure'] | null;
  reason: string | null;
  feeCents: number;
  /** When something becomes of it by itself, and what. */
  dueAt: string | null;
  becomes: 'settled' | 'bounced' | 'expired' | null;
  /** The call that is to follow. Records of an earlier version have none. */
  next: MockLeg | null;
  /** The provider refuses the call that pays out, or the first one that the payee began. */
  refusesLeg: boolean;
  /** Where its payee had it sent. Records of an earlier version have neither this nor what follows. */
  destination: string | null;
  /** The call that a payee began, and that the provider refused: it does not do it when it is made again. */
  refusedKey: string | null;
};
/** From the account of the payee at the provider to their bank, and from there back to us. */
export type MockLeg = 'payout' | 'pull_back';
/** The way from the wallet of the payee on, which they begin. */
const DRAIN = 'drain';
const NOT_THERE = 'The order asked for an address that is refused.';

const NOTHING_DUE = { dueAt: null, becomes: null, next: null };
const LIFTING_FEE_CENTS = 25;
/** Long enough to be seen in between, short enough to wait for. */
export const LATER_SECONDS = 10;
/** For so long a claim waits for its payee. */
export const CLAIM_SECONDS = 30 * 86_400;

export function sent({ amountCents, currency }: RailOrder, directive: Directive | null, now: Date): Payment {
  const payment: Payment = {
    state: 'accepted',
    providerRef: `mock_${randomUUID()}`,
    amountCents,
    currency,
    settledAt: null,
    failure: null,
    reason: null,
    feeCents: 0,
    refusesLeg: directive === 'leg_refused' || directive === 'swap_refused',
    destination: null,
    refusedKey: null,
    ...NOTHING_DUE,
  };
  if (directive === 'fail_once') return refused(payment, 'transient', 'the order asked to fail once');
  return decided(payment, directive, now);
}

/** Money that moved or is on its way is left alone; what was refused for now gets its next chance. */
export function sentAgain(payment: Payment, directive: Directive | null, now: Date): Payment {
  const open = payment.state === 'refused' && payment.failure !== 'permanent';
  return open ? decided({ ...payment, failure: null, reason: null }, directive, now) : payment;
}

function decided(payment: Payment, directive: Directive | null, now: Date): Payment {
  const later = after(now, LATER_SECONDS);
  switch (directive) {
    case 'fail_transient':
      return refused(payment, 'transient', 'the order asked for a transient failure');
    case 'fail_permanent':
      return refused(payment, 'permanent', 'the order asked for a permanent failure');
    case 'insufficient_funds':
      return refused(payment, 'funding', 'the order asked for a rail without funds');
    case 'pending':
      return { ...payment, state: 'accepted' };
    case 'slow':
      return { ...payment, state: 'accepted', dueAt: later, becomes: 'settled' };
    case 'claim':
      return { ...payment, state: 'to_claim', dueAt: after(now, CLAIM_SECONDS), becomes: 'expired' };
    case 'swap':
    case 'swap_refused':
    case 'swap_timeout':
      return { ...payment, state: 'to_withdraw' };
    case 'two_legs':
    case 'leg_timeout':
    case 'leg_refused':
      return { ...payment, state: 'accepted', next: 'payout' };
    case 'return':
      return bounced(settled(payment, now), LIFTING_FEE_CENTS);
    case 'bounce_later':
      return { ...settled(payment, now), dueAt: later, becomes: 'bounced' };
    case 'fail_once':
    case 'timeout':
    case null:
      return settled(payment, now);
  }
}

/** A call after the first one. One that was made already, or is not due, changes nothing. */
export function advanced(payment: Payment, leg: RailLeg, now: Date): Payment {
  if (payment.state === 'to_withdraw' && leg.name === DRAIN) return drained(payment, leg, now);
  if (payment.next !== leg.name) return payment;
  if (leg.name === 'pull_back')
    return refused(payment, 'transient', 'the bank would not take it, and it was pulled back');
  return payment.refusesLeg ? { ...payment, next: 'pull_back' } : settled(payment, now);
}

/** Out of the wallet of its payee, to where they want it. */
function drained(payment: Payment, { key, destination }: RailLeg, now: Date): Payment {
  if (payment.refusedKey === key || !destination) return payment;
  if (payment.refusesLeg) return { ...payment, refusesLeg: false, refusedKey: key };
  return { ...settled(payment, now), destination };
}

/** As it stands by then: what was due has happened. */
export function asOf(payment: Payment, now: Date): Payment {
  // Records of an earlier version have nothing due.
  const at = payment.dueAt ? new Date(payment.dueAt) : null;
  if (at === null || at > now) return payment;
  if (payment.becomes === 'expired') return refused(payment, 'expired', 'nobody came for it in time');
  return payment.becomes === 'settled' ? settled(payment, at) : bounced(payment, LIFTING_FEE_CENTS);
}

const after = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();

const UNDER_WAY: Payment['state'][] = ['accepted', 'to_claim', 'claimed', 'to_withdraw'];
const FOLLOWS: Record<OutcomeFact['kind'], Payment['state'][]> = {
  settled: [...UNDER_WAY, 'settled'],
  claimed: ['to_claim', 'claimed'],
  refused: UNDER_WAY,
  bounced: ['settled'],
};

/** A test says what happens next; only what a real provider could do is done. */
export function directed(payment: Payment, outcome: OutcomeFact, now: Date): Payment {
  const { state } = payment;
  if (!FOLLOWS[outcome.kind].includes(state))
    throw new Error(`A payment that is ${state} at the mock rail cannot become ${outcome.kind}.`);
  switch (outcome.kind) {
    case 'settled':
      return state === 'settled' ? payment : settled(payment, now);
    case 'claimed':
      return { ...payment, state: 'claimed', ...NOTHING_DUE };
    case 'refused':
      return refused(payment, outcome.failure, outcome.reason);
    case 'bounced':
      return bounced(payment, outcome.feeCents);
  }
}

/** The call's answer. A payment that bounced did settle first: only a look-up tells of the bounce. */
export function answerTo(payment: Payment, directive: Directive | null): SubmitFact {
  if (directive === 'timeout') return { kind: 'unknown', detail: 'the order asked for an answer that never arrives' };
  const { providerRef, amountCents, currency } = payment;
  const echo = { amountCents, currency };
  switch (payment.state) {
    case 'accepted':
      return { kind: 'accepted', providerRef, echo, ...(payment.next ? { next: { leg: payment.next } } : {}) };
    case 'to_claim':
      return { kind: 'awaiting_payee', providerRef, claimUrl: null, echo };
    case 'to_withdraw':
      return { kind: 'awaiting_payee', providerRef, claimUrl: null, echo, begins: beginsOf(payment) };
    case 'claimed':
      return { kind: 'claimed', providerRef, echo };
    case 'refused':
      return { kind: 'refused', failure: payment.failure ?? 'permanent', reason: payment.reason ?? 'refused' };
    case 'settled':
    case 'bounced':
      return { kind: 'settled', providerRef, settledAt: payment.settledAt ? new Date(payment.settledAt) : null, echo };
  }
}

function beginsOf({ refusedKey }: Payment): BegunLeg {
  return { leg: DRAIN, ...(refusedKey ? { refused: { key: refusedKey, reason: NOT_THERE } } : {}) };
}

export function stateOf(payment: Payment): LookupFact {
  const { state, feeCents } = payment;
  if (state !== 'bounced') return answerTo(payment, null);
  if (Number.isSafeInteger(feeCents) && feeCents >= 0) return { kind: 'bounced', feeCents };
  return { kind: 'unknown', detail: `it came back, less ${feeCents} cents` };
}

function settled(payment: Payment, at: Date): Payment {
  return { ...payment, state: 'settled', settledAt: at.toISOString(), ...NOTHING_DUE };
}

function bounced(payment: Payment, feeCents: number): Payment {
  return { ...payment, state: 'bounced', feeCents: Math.min(feeCents, payment.amountCents), ...NOTHING_DUE };
}

function refused(payment: Payment, failure: Refused['failure'], reason: string): Payment {
  return { ...payment, state: 'refused', failure, reason, ...NOTHING_DUE };
}
