/**
 * A payout as the core has it, as far as rails can tell: which sends have no answer yet, which call comes next, and whose word counts. It
 * follows `rail-news.ts`, `attempts.ts`, `legs.ts` and `begun-legs.ts` of libs/payout-rules, which a rail's specs may not import.
 */
import type { AwaitingPayee, BegunLeg, LookupFact, NextLeg, Refused } from '#libs/rail-kit';
import { testKey } from '../order';

/** No call goes on for so long: one has to begin within 4 seconds, and to end 20 seconds later. */
const OVER_AFTER_MS = 45_000;
const AGAIN_SECONDS = 30;

export interface Leg {
  name: string;
  key: string;
  firstSentAt: Date | null;
  notBefore: number;
  toSend: boolean;
  awaitsPayee: boolean;
  destination?: string;
  attempt: number;
  said: string | null;
  over: boolean;
}

export interface State {
  /** `to_send`: before its first send, or after somebody had it tried again. */
  status: 'to_send' | 'submitted' | 'refused' | 'settled' | 'returned';
  failure: Refused['failure'] | null;
  attempt: number;
  /** `refusedSince`: what was sent had been refused when the next send was taken on. */
  open: { attempt: number; takenAt: number; refusedSince?: boolean }[];
  acceptedAttempt: number | null;
  /** The last send was not made. */
  toSend: boolean;
  legs: Leg[];
  /** How often it came to another status. */
  changes: number;
}

type Money = Exclude<LookupFact, { kind: 'refused' | 'unknown' | 'never_seen' }>;
export type Said = LookupFact | { kind: 'not_sent' };
export interface Report {
  fact: Said;
  asked: State;
  by: 'submission' | 'lookup';
}

interface Heard {
  report: Report;
  before: State;
}

export const currentLeg = ({ legs }: State): Leg | null => {
  const last = legs.at(-1);
  return last && !last.over ? last : null;
};
export const legToSend = (state: State): Leg | null => {
  const leg = currentLeg(state);
  return leg?.toSend ? leg : null;
};
export const legSent = (state: State): Leg | null => {
  const leg = currentLeg(state);
  return leg && leg.firstSentAt !== null && leg.attempt === state.attempt ? leg : null;
};
export const hasSentLegs = ({ legs }: State): boolean => legs.some(({ firstSentAt }) => firstSentAt !== null);
export const isOpen = ({ open }: State, attempt: number): boolean => open.some((each) => each.attempt === attempt);
export const isUnderWay = (state: State, now: number, but = 0): boolean =>
  state.open.some(({ attempt, takenAt }) => attempt !== but && now - takenAt < OVER_AFTER_MS);
/** A refusal may be about an earlier send then. */
export const mayBeOfAnEarlier = (state: State): boolean =>
  isOpen(state, state.attempt) && state.acceptedAttempt === null && state.attempt > 1;
export const isFinal = ({ failure }: State): boolean => failure === 'permanent' || failure === 'expired';

export class PayoutModel {
  private state: State = {
    ...{ status: 'to_send', failure: null, attempt: 0, open: [], acceptedAttempt: null, toSend: false, legs: [] },
    changes: 0,
  };

  get now(): State {
    return this.state;
  }

  isAsAsked(asked: State): boolean {
    const { state } = this;
    const [one, other] = [currentLeg(state), currentLeg(asked)];
    return (
      state.changes === asked.changes &&
      state.attempt === asked.attempt &&
      state.acceptedAttempt === asked.acceptedAttempt &&
      state.open.length === asked.open.length &&
      state.legs.length === asked.legs.length &&
      one?.toSend === other?.toSend
    );
  }

  /** The next send is its caller's. */
  takes(at: Date, isRefused = false): State {
    const leg = legToSend(this.state);
    const attempt = this.state.attempt + 1;
    const sent = leg && { toSend: false, notBefore: 0, attempt, firstSentAt: leg.firstSentAt ?? at, said: null };
    const earlier = this.state.open.map((each) => (isRefused ? { ...each, refusedSince: true } : each));
    this.become(this.state.status === 'to_send' ? 'submitted' : this.state.status, {
      ...{ attempt, toSend: false, open: [...earlier, { attempt, takenAt: at.getTime() }] },
      legs: sent ? this.withCurrent(sent) : legsOver(this.state),
    });
    return this.state;
  }

  /** Somebody has it tried again. */
  isTriedAgain(): void {
    this.become('to_send', { failure: null });
  }

  /** Its payee says where the money goes. */
  isBegun(destination: string): void {
    this.set({ legs: this.withCurrent({ destination, awaitsPayee: false, toSend: true, said: null }) });
    this.set({ changes: this.state.changes + 1 });
  }

  hears({ fact, asked, by }: Report, now: number): void {
    if (fact.kind === 'refused') return this.refused({ fact, asked, by }, now);
    if (fact.kind === 'not_sent') return this.notSent(asked);
    if (fact.kind !== 'unknown' && fact.kind !== 'never_seen') this.moneyHeardOf(fact, { fact, asked, by }, now);
  }

  private moneyHeardOf(fact: Money, report: Report, now: number): void {
    const before = this.state;
    if (report.by === 'submission') this.answered(report.asked);
    if (before.status === 'returned' || isOverheard(before, fact, report)) return;
    if (fact.kind === 'bounced') return this.become('returned', { open: [], toSend: false, legs: legsOver(before) });
    if (before.status === 'settled') {
      // Money that bounced to the payee's account is pulled back.
      if (isOnItsWay(fact)) this.legsTold(fact, { report, before }, now);
      return;
    }
    if (before.status !== 'submitted') this.become('submitted', { failure: null });
    if (fact.kind === 'settled') return this.settles();
    const { by, asked } = report;
    this.set({ toSend: false, acceptedAttempt: by === 'submission' ? asked.attempt : this.state.attempt });
    this.legsTold(fact, { report, before }, now);
  }

  private settles(): void {
    const legs = this.withCurrent({ said: 'settled' });
    this.become('settled', { open: [], toSend: false, legs: legsOver({ legs }) });
  }

  private legsTold(fact: Money, { report, before }: Heard, now: number): void {
    const [leg, begins] = [currentLeg(before), (fact as Partial<AwaitingPayee>).begins];
    if (leg && begins?.leg === leg.name && begins.refused?.key === leg.key) {
      if (this.isLastWord(before, report, now)) this.isBackWithPayee(leg);
      return;
    }
    if (!this.isStillSo({ report, before })) return;
    const next = fact.kind === 'accepted' ? fact.next : begins;
    const legs = next
      ? this.withNext(next, { fact, by: report.by }, now)
      : this.withCurrent({ toSend: false, notBefore: 0, said: fact.kind });
    this.set({ legs });
  }

  /** The call that this answers is open still, and of the current leg; or nothing happened since the rail was asked. */
  private isStillSo({ report: { asked, by }, before }: Heard): boolean {
    if (by === 'lookup') return this.was(asked, before);
    const isOfCurrent = (legSent(asked)?.key ?? null) === (currentLeg(before)?.key ?? null);
    return isOpen(before, asked.attempt) && isOfCurrent;
  }

  private was(asked: State, before: State): boolean {
    const { state } = this;
    this.state = before;
    const isSo = this.isAsAsked(asked);
    this.state = state;
    return isSo;
  }

  private withNext(next: NextLeg | BegunLeg, { fact, by }: Pick<Report, 'by'> & { fact: Money }, now: number): Leg[] {
    const current = currentLeg(this.state);
    const after = 'afterSeconds' in next ? (next.afterSeconds ?? 0) : 0;
    if (current?.name === next.leg) {
      if (current.awaitsPayee || current.toSend) return this.state.legs;
      const seconds = by === 'submission' ? Math.max(after, AGAIN_SECONDS) : after;
      return this.withCurrent({ toSend: true, notBefore: now + seconds * 1000 });
    }
    if (this.state.legs.some(({ name, over }) => !over && name === next.leg)) return this.state.legs;
    const awaitsPayee = fact.kind === 'awaiting_payee';
    return [
      ...this.withCurrent({ toSend: false, said: fact.kind }),
      { ...newLeg(next.leg), toSend: !awaitsPayee, awaitsPayee, notBefore: now + after * 1000 },
    ];
  }

  private isBackWithPayee({ name }: Leg): void {
    const legs = this.withCurrent({ toSend: false, awaitsPayee: false, over: true, said: 'refused' });
    this.become('submitted', { open: [], legs: [...legs, { ...newLeg(name), awaitsPayee: true }] });
  }

  private refused(report: Report & { fact: Refused }, now: number): void {
    const before = this.state;
    if (report.by === 'submission') this.answered(report.asked);
    if (before.status !== 'submitted' || !this.isLastWord(before, report, now)) return;
    const { failure } = report.fact;
    this.become('refused', { failure, open: [], acceptedAttempt: null, legs: legsOver(before) });
  }

  /** No other call can be under way, and nothing happened since it was asked. */
  private isLastWord(before: State, { asked, by }: Report, now: number): boolean {
    if (before.toSend) return false;
    if (by === 'lookup') return this.was(asked, before) && (before.attempt === 1 || !isUnderWay(before, now));
    if (!isOpen(before, asked.attempt) || isTakenOn(before, asked) || legToSend(before)) return false;
    return !isUnderWay(before, now, asked.attempt);
  }

  private notSent(asked: State): void {
    this.answered(asked);
    const { attempt, status, acceptedAttempt } = this.state;
    if (attempt !== asked.attempt || status === 'refused') return;
    if (legSent(asked) && !isTakenOn(this.state, asked)) return this.set({ legs: this.withCurrent({ toSend: true }) });
    if (status === 'submitted' && acceptedAttempt === null) this.set({ toSend: true });
  }

  private answered({ attempt }: State): void {
    this.set({ open: this.state.open.filter((each) => each.attempt !== attempt) });
  }

  private withCurrent(facts: Partial<Leg>): Leg[] {
    const { legs } = this.state;
    return legs.map((leg, place) => (place === legs.length - 1 && !leg.over ? { ...leg, ...facts } : leg));
  }

  private become(status: State['status'], facts: Partial<State>): void {
    const changes = this.state.changes + (status === this.state.status ? 0 : 1);
    this.set({ ...facts, status, changes });
  }

  private set(facts: Partial<State>): void {
    this.state = { ...this.state, ...facts };
  }
}

const isOnItsWay = ({ kind }: Money): boolean => kind !== 'settled' && kind !== 'bounced';

/** Something newer is known since it was asked, or since its call was over; or its rail refused that call before the next one was made. */
function isOverheard(state: State, fact: Money, { asked, by }: Report): boolean {
  if (!isOnItsWay(fact)) return false;
  if (by === 'lookup') return asked.changes !== state.changes || asked.attempt !== state.attempt;
  const open = state.open.find(({ attempt }) => attempt === asked.attempt);
  return (state.status === 'submitted' || state.status === 'settled') && (!open || open.refusedSince === true);
}

/** The rail took on what was sent under that number, or what followed it. */
function isTakenOn(state: State, asked: State): boolean {
  const leg = legSent(asked);
  if (!leg) return state.acceptedAttempt !== null;
  const current = currentLeg(state);
  return current?.key !== leg.key || current.said !== null;
}

const legsOver = ({ legs }: Pick<State, 'legs'>): Leg[] => legs.map((leg) => ({ ...leg, toSend: false, over: true }));

const newLeg = (name: string): Leg => ({
  ...{ name, key: testKey(), firstSentAt: null, notBefore: 0, toSend: false, awaitsPayee: false },
  ...{ attempt: 0, said: null, over: false },
});
