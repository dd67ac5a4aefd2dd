/** One payment at the mock provider, and every change it can take. Pure: the rail stores what these functions answer. */
import { randomUUID } from 'node:crypto';
import type { LookupFact, OutcomeFact, RailOrder, Refused, SubmitFact } from '#libs/rail-kit';
import type { Directive } from './mock.directives';

/** A type and not an interface, as a record of the store must be. */
export type Payment = {
  state: 'accepted' | 'settled' | 'refused' | 'bounced';
  providerRef: string;
  amountCents: number;
  currency: string;
  settledAt: string | null;
  failure: Refused['failure'] | null;
  reason: string | null;
  feeCents: number;
};

const LIFTING_FEE_CENTS = 25;

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
  switch (directive) {
    case 'fail_transient':
      return refused(payment, 'transient', 'the order asked for a transient failure');
    case 'fail_permanent':
      return refused(payment, 'permanent', 'the order asked for a permanent failure');
    case 'insufficient_funds':
      return refused(payment, 'funding', 'the order asked for a rail without funds');
    case 'pending':
      return { ...payment, state: 'accepted' };
    case 'return':
      return { ...settled(payment, now), state: 'bounced', feeCents: LIFTING_FEE_CENTS };
    case 'fail_once':
    case 'timeout':
    case null:
      return settled(payment, now);
  }
}

/** A test says what happens next; only what a real provider could do is done. */
export function directed(payment: Payment, outcome: OutcomeFact, now: Date): Payment {
  const { state } = payment;
  if (outcome.kind === 'settled' && state === 'settled') return payment;
  if (outcome.kind === 'settled' && state === 'accepted') return settled(payment, now);
  if (outcome.kind === 'refused' && state === 'accepted') return refused(payment, outcome.failure, outcome.reason);
  if (outcome.kind === 'bounced' && state === 'settled')
    return { ...payment, state: 'bounced', feeCents: outcome.feeCents };
  throw new Error(`A payment that is ${state} at the mock rail cannot become ${outcome.kind}.`);
}

/** What the call answers. A payment that bounced did settle, and its bounce is news for a lookup. */
export function answerTo(payment: Payment, directive: Directive | null): SubmitFact {
  if (directive === 'timeout') return { kind: 'unknown', detail: 'the order asked for an answer that never arrives' };
  const { providerRef, amountCents, currency } = payment;
  const echo = { amountCents, currency };
  switch (payment.state) {
    case 'accepted':
      return { kind: 'accepted', providerRef, echo };
    case 'refused':
      return { kind: 'refused', failure: payment.failure ?? 'permanent', reason: payment.reason ?? 'refused' };
    case 'settled':
    case 'bounced':
      return { kind: 'settled', providerRef, settledAt: payment.settledAt ? new Date(payment.settledAt) : null, echo };
  }
}

export function stateOf(payment: Payment): LookupFact {
  return payment.state === 'bounced' ? { kind: 'bounced', feeCents: payment.feeCents } : answerTo(payment, null);
}

function settled(payment: Payment, now: Date): Payment {
  return { ...payment, state: 'settled', settledAt: now.toISOString() };
}

function refused(payment: Payment, failure: Refused['failure'], reason: string): Payment {
  return { ...payment, state: 'refused', failure, reason };
}
