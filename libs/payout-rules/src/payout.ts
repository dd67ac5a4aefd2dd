/** A payout, and how it takes a step: always through the table of transitions, always with a line in its trail. */
import { type Custody, type FailureKind, nextStatus, type PayoutStatus, type PayoutTrigger } from '#libs/domain';

export const PAYOUT_SOURCES = ['payout', 'batch', 'withdraw', 'portal', 'auto_release'] as const;
export type PayoutSource = (typeof PAYOUT_SOURCES)[number];
export type Actor = 'client' | 'payee' | 'operator' | 'system' | 'rail';

/** A call to the rail that was about to be made, and whose outcome is not on record: it may still move money. */
export interface OpenAttempt {
  attempt: number;
  takenAt: string;
  /** Tells it from another one of this number, which a database that went back gave out. */
  mark?: string;
  /** Its rail refused what it had, as whoever took the next send on heard: what it said to this call may be older. Left out: it did not. */
  refusedSince?: boolean;
}

/** A call of a payout after its first one, which its rail asked for. Kept in the order in which they began. */
export interface Leg {
  /** As its rail calls it. */
  name: string;
  /** How often the payout had been refused, and was tried again, before it. */
  round: number;
  /** The key that the rail knows this call by: the same on every try. */
  key: string;
  /** It is to be sent, and nobody took that on yet. */
  toSend: boolean;
  /** Its rail has no use for it before; null: at once. */
  notBefore: string | null;
  /** When its rail asked for it last, as far as that was heard, or its payee began it. Left out, or null: before that was kept. */
  wishedAt?: string | null;
  /** The number of its last send among all of the payout's; 0: it was never sent. */
  attempt: number;
  /** How often it was sent: how often somebody took that on. */
  sends: number;
  /** How often whoever took it on did not make the call, for certain. Left out: never. */
  unmade?: number;
  /** How often its payee said where to, and it was given back to them before it left. Left out: never. */
  givenBack?: number;
  firstSentAt: string | null;
  /** The rail's latest answer about the payout since this call was last sent; null: none yet. */
  said: 'accepted' | 'awaiting_payee' | 'claimed' | 'settled' | 'bounced' | 'refused' | null;
  /** The payout ended with it, or started over since: whatever its rail calls so from now on is another call. */
  over: boolean;
  /** Its payee has not said yet where the money goes: nobody makes the call. This and what follows are left out of other calls. */
  awaitsPayee?: boolean;
  /** Where they want it: the same on every try. */
  destination?: string;
  /** Why its rail refused it, in words for the payee. */
  refusal?: string;
}

/** Whom a payout pays, beside the account, and in whose name: as it was when the payout was authorized. */
export interface Destination {
  email: string | null;
  name: string | null;
  country: string | null;
  /** Left out of payouts from before it was kept. */
  payerName?: string;
}

export interface Payout {
  id: string;
  clientId: string;
  payeeId: string;
  /** The payee's id in the caller's system; read with the row. */
  externalId: string;
  source: PayoutSource;
  idempotencyKey: string;
  fingerprint: Buffer;
  railKey: string;
  testMode: boolean;
  amountCents: number;
  currency: string;
  status: PayoutStatus;
  /** Counts the steps taken. */
  sequence: number;
  provider: string | null;
  providerRef: string | null;
  custody: Custody | null;
  accountId: string | null;
  /** null before it was authorized. */
  destination: Destination | null;
  reason: string | null;
  ref: string | null;
  metadata: Record<string, string>;
  failureKind: FailureKind | null;
  statusReason: string | null;
  /** Its rail's own, or what stands for a page of ours: see `OUR_PAGE`. */
  claimUrl: string | null;
  claimedAt: Date | null;
  settledAt: Date | null;
  liftingFeeCents: number;
  /** The fee that the rail reported last; both are null if it reported none. */
  railFeeCents: number | null;
  railFeeCurrency: string | null;
  /** It is to be sent, and nobody took that on yet. */
  toSend: boolean;
  /** The number of its last send. */
  attempt: number;
  openAttempts: OpenAttempt[];
  /** The send that the rail accepted; null since it was refused. */
  acceptedAttempt: number | null;
  /** The calls after the first one; none on most rails. In the row, so that who holds its lock has them as they are. */
  legs: Leg[];
  /**
   * The first send under its code that may have moved money; from then on the rail remembers the code. If the rail refused
   * all that was sent, and said no once more before the next send, it is when it said that. null: nothing was ever sent.
   */
  codeSince: Date | null;
  submittedAt: Date | null;
  authorizedOn: string | null;
  /** It draws on its client's wallet, or would: what is held and what failed draws nothing. */
  prepaid: boolean;
  /** Whose funds a payout waits for that is held for lack of funds. */
  shortOf: 'wallet' | 'rail' | null;
  /** It pays owed rows, which follow it. */
  consolidates: boolean;
  /** Its rows are on this payout by now: it is over, however it ended. */
  supersededBy: string | null;
  /** When its rail was asked last that said no of it after it had failed. */
  clearedAt: Date | null;
  /** An admin found out that its rail never saw it. */
  neverSeen: boolean;
  /** Its rail is bound to another account of its provider since it was first sent: that one knows nothing of it. Read with the row. */
  sentElsewhere: boolean;
  /** It came back, was out again, and an operator called its rows paid. Read with the row. */
  calledPaidAgain: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface Step {
  on: PayoutTrigger;
  actor: Actor;
  statusReason?: string;
  failureKind?: FailureKind;
  shortOf?: Payout['shortOf'];
  /** Other fields that this step sets. */
  facts?: Partial<Payout>;
}

/** One line of the trail, with the payout as it stood right after. */
export interface TrailEntry {
  type: PayoutTrigger;
  fromStatus: PayoutStatus | null;
  actor: Actor;
  after: Payout;
}

/** A change to write: the payout as it will be, the lines of its trail, and where it came from. */
export interface PayoutChange {
  /** A job sends it, also where its request would: something has to be asked right before. */
  byJob?: boolean;
  before: Payout | null;
  after: Payout;
  trail: TrailEntry[];
}

export function changeOf(payout: Payout): PayoutChange {
  return { before: payout, after: payout, trail: [] };
}

export function withStep(change: PayoutChange, step: Step): PayoutChange {
  const fromStatus = change.before === null && change.trail.length === 0 ? null : change.after.status;
  const after: Payout = {
    ...change.after,
    ...step.facts,
    status: nextStatus(fromStatus, step.on, change.after.failureKind),
    sequence: change.after.sequence + 1,
    failureKind: step.failureKind ?? null,
    statusReason: step.statusReason ?? null,
    shortOf: step.shortOf ?? null,
  };
  return { ...change, after, trail: [...change.trail, { type: step.on, fromStatus, actor: step.actor, after }] };
}

/** Something was learned that is no step, such as the rail's own reference. */
export function withFacts(change: PayoutChange, facts: Partial<Payout>): PayoutChange {
  return { ...change, after: { ...change.after, ...facts } };
}
