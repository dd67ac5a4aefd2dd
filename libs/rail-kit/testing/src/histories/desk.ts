/**
 * What processes of the core do with one payout: its job, readers who ask, looks while it is at rest, its payee, and whoever has it tried
 * again. Each follows its namesake in libs/payouts, and keeps what the core promises to rails.
 */
import {
  type DestinationAnswer,
  type LookupAnswer,
  letsPayeesBegin,
  movesInLegs,
  type Rail,
  type RailCall,
  type RailLeg,
  type RailOrder,
  type SubmitAnswer,
} from '#libs/rail-kit';
import type { FixedClock } from '../fixed-clock';
import { currentLeg, hasSentLegs, isFinal, isUnderWay, type Leg, legSent, legToSend } from './payout';
import { mayBeOfAnEarlier, PayoutModel, type Report, type Said, type State } from './payout';
import type { Process } from './process';

const BEGIN_WITHIN_MS = 4_000;
const DEADLINE_MS = 20_000;
const LEASE_MS = 6_000;
/** A code is sent again only after so long. */
const JOB_AFTER_MS = 5_000;
/** Older ones permit nothing. */
const ANSWER_COUNTS_MS = 10_000;
const WISH_COUNTS_MS = 60_000;

export type Act = 'job' | 'reader' | 'look' | 'again' | 'begins';
export interface Runner {
  process: Process;
  rail: Rail;
}
/** Told once the core has it from the rail, at rest, that nothing is out. */
export type Denial = (kind: 'never_seen' | 'refused') => void;

interface Lease {
  takenAt: number;
}

export class Desk {
  readonly payout = new PayoutModel();
  private lease: Lease | null = null;
  /** When its rail asked for a call last, or its payee began it. */
  private wishedAt = 0;

  constructor(
    private readonly order: RailOrder,
    private readonly clock: FixedClock,
    private readonly destinations: readonly string[],
    private readonly denied: Denial,
  ) {}

  get isAtRest(): boolean {
    return this.payout.now.status !== 'submitted' && this.payout.now.status !== 'to_send';
  }

  /** Nothing is to be done but to wait for the provider, or for its payee there. */
  get isQuiet(): boolean {
    const { status, acceptedAttempt, open, toSend } = this.payout.now;
    const leg = currentLeg(this.payout.now);
    const isWaitedFor = leg === null || (!leg.toSend && !leg.awaitsPayee && leg.said !== null);
    return status === 'submitted' && acceptedAttempt !== null && open.length === 0 && !toSend && isWaitedFor;
  }

  /** What can be taken up now, the job first. */
  acts(): Act[] {
    const { status } = this.payout.now;
    const state = this.payout.now;
    const isWaiting = currentLeg(state)?.awaitsPayee === true && status === 'submitted';
    const isDue = status === 'to_send' || status === 'submitted' || (status === 'settled' && legToSend(state) !== null);
    return [
      ...(isWaiting ? (['begins'] as const) : []),
      ...(isDue ? (['job', 'job', 'job', 'job'] as const) : []),
      ...(status === 'submitted' ? (['reader'] as const) : []),
      ...(this.isAtRest ? (['look'] as const) : []),
      ...(status === 'refused' && !isFinal(state) ? (['again', 'again', 'again'] as const) : []),
    ];
  }

  /** In how many seconds a job may begin: another one may have its lease still. */
  secondsToJob(): number {
    const now = this.nowMs();
    const leg = legToSend(this.payout.now);
    const leased = this.lease ? this.lease.takenAt + Math.max(LEASE_MS, JOB_AFTER_MS) : 0;
    return Math.max(0, Math.ceil((Math.max(leased, leg?.notBefore ?? 0) - now) / 1000));
  }

  async does(act: Act, runner: Runner): Promise<void> {
    if (act === 'job') return this.job(runner);
    if (act === 'again') return this.again(runner);
    if (act === 'begins') return this.begins(runner);
    const asked = this.payout.now;
    const fact = await this.ask(runner);
    // It may be about an earlier send: the job makes the last one again.
    if (asked.status === 'submitted' && fact.kind === 'refused' && mayBeOfAnEarlier(asked)) return;
    this.hears({ fact, asked, by: 'lookup' }, runner);
  }

  private async job(runner: Runner): Promise<void> {
    const lease = { takenAt: this.nowMs() };
    this.lease = lease;
    const asked = this.payout.now;
    if (asked.status === 'to_send' || asked.toSend || legToSend(asked)) return this.submit(runner, lease, asked);
    const fact = await this.ask(runner);
    const isToBeSent = fact.kind === 'never_seen' || (fact.kind === 'refused' && mayBeOfAnEarlier(asked));
    const isInLegs = currentLeg(asked) !== null;
    if (isToBeSent && !isInLegs) return this.submit(runner, lease, asked, fact.kind === 'refused');
    this.hears({ fact, asked, by: 'lookup' }, runner);
  }

  private async submit(runner: Runner, lease: Lease, asked: State, isRefused = false): Promise<void> {
    if (!(await this.isClear(runner, asked))) return;
    if (this.lease !== lease || !this.payout.isAsAsked(asked)) return;
    const taken = this.payout.takes(this.clock.now(), isRefused);
    const leg = legSent(taken);
    const beginBefore = this.nowMs() + BEGIN_WITHIN_MS;
    await runner.process.stands('makes the call that it took on');
    const fact = this.nowMs() >= beginBefore ? NOT_SENT : await this.sends(runner, leg);
    this.hears({ fact, asked: taken, by: 'submission' }, runner);
  }

  /** One that starts over after later calls, or whose later call was asked for long ago, is asked about once more. */
  private async isClear(runner: Runner, asked: State): Promise<boolean> {
    const leg = legToSend(asked);
    const isOld = leg ? this.nowMs() - this.wishedAt > WISH_COUNTS_MS : !currentLeg(asked) && hasSentLegs(asked);
    if (!isOld) return true;
    const askedAt = this.nowMs();
    const fact = await this.ask(runner);
    const isClear = leg ? asksFor(fact, leg) : fact.kind === 'refused' || fact.kind === 'never_seen';
    if (!isClear) this.hears({ fact, asked, by: 'lookup' }, runner);
    else if (leg) this.wishedAt = askedAt;
    return isClear && this.nowMs() - askedAt < ANSWER_COUNTS_MS;
  }

  private sends(runner: Runner, leg: Leg | null): Promise<Said> {
    const { rail } = runner;
    const { order } = this;
    return this.call<SubmitAnswer>(runner, leg ? `advance '${leg.name}'` : 'submit', (call) => {
      if (!leg) return rail.submit(order, call);
      if (!movesInLegs(rail)) throw new Error('The rail asks for a later call, and has no `advance`.');
      return rail.advance(order, railLeg(leg), call);
    }).then((said) => {
      if (said.kind === 'not_now') return NOT_SENT;
      // A later call was not made then, and waits.
      return leg && said.kind === 'refused' && said.failure === 'credentials' ? NOT_SENT : said;
    });
  }

  private async ask(runner: Runner): Promise<Exclude<LookupAnswer, { kind: 'not_now' }>> {
    const atRest = this.payout.now.status !== 'submitted';
    const [asked, askedAt] = [this.payout.now, this.nowMs()];
    const movesNothing = atRest ? ({ movesNothing: 'at_rest' } as const) : {};
    const fact = await this.call<LookupAnswer>(runner, `lookup${atRest ? ' at rest' : ''}`, (call) =>
      runner.rail.lookup(this.order, { ...call, ...movesNothing }),
    );
    if (fact.kind === 'not_now') return { kind: 'unknown', detail: fact.detail };
    const isNo = fact.kind === 'never_seen' || fact.kind === 'refused';
    const counts = this.payout.isAsAsked(asked) && this.nowMs() - askedAt < ANSWER_COUNTS_MS;
    if (atRest && isNo && counts && !isUnderWay(asked, this.nowMs())) this.denied(fact.kind);
    return fact;
  }

  /** A caller, or the release of what was held: the rail is asked first. */
  private async again(runner: Runner): Promise<void> {
    const asked = this.payout.now;
    const fact = await this.ask(runner);
    const isNo = fact.kind === 'refused' || fact.kind === 'never_seen';
    const isUntold = fact.kind === 'unknown' && !hasSentLegs(asked);
    if (!isNo && !isUntold) return this.hears({ fact, asked, by: 'lookup' }, runner);
    if (!this.payout.isAsAsked(asked)) return;
    runner.process.says('it is to be tried again');
    this.payout.isTriedAgain();
  }

  /** On a page of ours; the check of the address is a call of its own. */
  private async begins(runner: Runner): Promise<void> {
    const { rail } = runner;
    const asked = this.payout.now;
    const entered = this.destinations[asked.legs.length % this.destinations.length];
    if (entered === undefined || !letsPayeesBegin(rail)) throw new Error('This rail needs `destinations`.');
    const fact = await this.call<DestinationAnswer>(runner, 'checkDestination', (call) =>
      rail.checkDestination(this.order, entered, call),
    );
    if (fact.kind !== 'taken' || currentLeg(this.payout.now)?.key !== currentLeg(asked)?.key) return;
    if (currentLeg(this.payout.now)?.awaitsPayee) this.payout.isBegun(fact.destination);
    this.wishedAt = this.nowMs();
  }

  /** Nothing that is heard after the deadline counts, and nothing leaves for the provider by then. */
  private async call<Answer extends { kind: string }>(
    { process }: Runner,
    what: string,
    work: (call: RailCall) => Promise<Answer>,
  ): Promise<Answer | { kind: 'unknown'; detail: string }> {
    const until = this.nowMs() + DEADLINE_MS;
    process.until = until;
    process.says(`${what}:`);
    let said: Answer | { kind: 'unknown'; detail: string };
    try {
      said = await work({ signal: this.overAt(until) });
    } catch (error) {
      said = { kind: 'unknown', detail: (error as Error).message };
    }
    await process.stands(`is told '${said.kind}'`);
    const fact = this.nowMs() < until ? this.sound(said) : { kind: 'unknown', detail: 'no answer in time' };
    process.says(`${what}: ${JSON.stringify(fact)}`);
    return fact as typeof said;
  }

  /** Of other money than was asked for nothing is believed. */
  private sound<Answer extends { kind: string; echo?: { amountCents: number } }>(said: Answer): Answer {
    if (said.echo === undefined || said.echo.amountCents === this.order.amountCents) return said;
    return { kind: 'unknown', detail: 'it is about other money' } as unknown as Answer;
  }

  /** A process that stood still is told by the time that it is, whether or not its timers ran. */
  private overAt(until: number): AbortSignal {
    const { signal } = new AbortController();
    return Object.defineProperty(signal, 'aborted', { get: () => this.nowMs() >= until });
  }

  private hears(report: Report, { process }: Runner): void {
    const before = this.payout.now;
    this.payout.hears(report, this.nowMs());
    const { status, legs } = this.payout.now;
    if (legs !== before.legs && report.fact.kind !== 'not_sent') this.wishedAt = this.nowMs();
    if (status !== before.status) process.says(`the payout is '${status}'`);
  }

  private nowMs(): number {
    return this.clock.now().getTime();
  }
}

const NOT_SENT = { kind: 'not_sent' } as const;

const asksFor = (fact: LookupAnswer, leg: Leg): boolean => {
  const { next, begins } = fact as {
    next?: { leg: string };
    begins?: { leg: string; refused?: { key: string } };
  };
  return next?.leg === leg.name || (begins?.leg === leg.name && begins.refused?.key !== leg.key);
};

const railLeg = ({ name, key, firstSentAt, destination }: Leg): RailLeg => ({
  ...{ name, key, firstSentAt: firstSentAt ?? new Date(0) },
  ...(destination === undefined ? {} : { destination }),
});
