/** One payment at the provider, and every change it can take. Pure: the provider writes down what these functions return. */
import { createHash } from 'node:crypto';

export interface Order {
  rail: string;
  code: string;
  amountCents: number;
  currency: string;
  /** The account, or the address of a payee who needs none. */
  destination: string;
  payee: string;
  /** The payout that it is sent for: several may share a code, one after the other. */
  payout: string;
}

export type Failure = 'transient' | 'permanent' | 'funding';

/** What the provider makes of an order, fixed when it is decided. */
export interface Decision {
  /** What the submission is told. */
  says: 'settled' | 'accepted' | Failure;
  /** What it does: `settle` and `refuse` happen by themselves, after so many milliseconds. */
  does: 'settle' | 'refuse' | 'nothing';
  afterMs: number;
  /** The bank sends the money back so long after it arrived; null: never. */
  bounce: { afterMs: number; feeCents: number } | null;
}

export interface Payment extends Order {
  ref: string;
  /** `open`: refused for now, and the next order under this code is decided again. */
  state: 'queued' | 'processing' | 'open' | 'refused' | 'settled' | 'bounced';
  failure: Failure | null;
  claimed: boolean;
  /** How often it was decided: each send of an open payment is. */
  decisions: number;
  receivedAt: number;
  /** What happens next by itself, and when. */
  next: 'decide' | 'claim' | 'settle' | 'refuse' | 'bounce' | null;
  dueAt: number;
  bounce: Decision['bounce'];
  feeCents: number;
  settledAt: number | null;
}

export type State =
  | { status: 'refused'; failure: Failure }
  | { status: 'processing' | 'claimed' | 'settled' | 'bounced'; settledAt: number | null; feeCents: number };
export type Told = State & { ref: string; amountCents: number; currency: string };

export function received(order: Order, now: number, queuedMs: number): Payment {
  const { rail, code, amountCents, currency, destination, payee, payout } = order;
  return {
    ...{ rail, code, amountCents, currency, destination, payee, payout },
    ref: `po_${createHash('sha256').update(`${rail} ${code}`).digest('hex').slice(0, 16)}`,
    ...{ state: 'queued', failure: null, claimed: false, decisions: 0, receivedAt: now },
    ...{ next: 'decide', dueAt: now + queuedMs, bounce: null, feeCents: 0, settledAt: null },
  };
}

/** Money that moved or is on its way is left alone; what was refused for now gets its next chance. */
export function receivedAgain(payment: Payment, order: Order, now: number, queuedMs: number): Payment {
  if (payment.state !== 'open') return payment;
  return {
    ...payment,
    ...order,
    state: 'queued',
    failure: null,
    receivedAt: now,
    next: 'decide',
    dueAt: now + queuedMs,
  };
}

export function decided(payment: Payment, { says, does, afterMs, bounce }: Decision, now: number): Payment {
  const known = { ...payment, decisions: payment.decisions + 1, bounce, next: null };
  if (says === 'settled') return settled(known, now);
  if (does === 'nothing' && says !== 'accepted')
    return { ...known, state: says === 'permanent' ? 'refused' : 'open', failure: says };
  // Whatever was said: from now on a look-up finds it under way.
  const claims = does === 'settle' && payment.rail === 'claim_rail';
  const next = claims ? 'claim' : does === 'refuse' ? 'refuse' : 'settle';
  return { ...known, state: 'processing', next, dueAt: now + (claims ? afterMs / 2 : afterMs) };
}

/** What was due by itself has come. */
export function passed(payment: Payment, now: number): Payment {
  switch (payment.next) {
    case 'claim':
      return { ...payment, claimed: true, next: 'settle', dueAt: now + (now - payment.receivedAt) / 2 };
    case 'settle':
      return settled(payment, now);
    case 'refuse':
      return { ...payment, state: 'refused', failure: 'permanent', next: null };
    case 'bounce':
      return { ...payment, state: 'bounced', feeCents: payment.bounce?.feeCents ?? 0, next: null };
    case 'decide':
    case null:
      return payment;
  }
}

/** What a look-up, or the next submission, is told. */
export function stateOf({ state, failure, claimed, settledAt, feeCents }: Payment): State {
  if (state === 'refused' || state === 'open') return { status: 'refused', failure: failure ?? 'transient' };
  const status = state === 'settled' || state === 'bounced' ? state : claimed ? 'claimed' : 'processing';
  return { status, settledAt, feeCents };
}

export function told(payment: Payment, state: State = stateOf(payment)): Told {
  const { ref, amountCents, currency } = payment;
  return { ...state, ref, amountCents, currency };
}

function settled(payment: Payment, now: number): Payment {
  const { bounce } = payment;
  return {
    ...payment,
    ...{ state: 'settled', failure: null, settledAt: now },
    ...(bounce ? { next: 'bounce', dueAt: now + bounce.afterMs } : { next: null }),
  };
}
