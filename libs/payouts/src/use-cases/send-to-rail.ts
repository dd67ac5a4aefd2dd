/**
 * Calls the rail for a payout. A send is taken on first, under a number of its own, and only whoever took it on makes the
 * call; no transaction is open meanwhile. A crash at any point leaves a payout that is asked about, and sent again under
 * the same code if the rail never saw it.
 */
import { Injectable } from '@nestjs/common';
import { type HeldJob, noteOnJob } from '#libs/jobs';
import {
  asksFor,
  bothClear,
  type Clearance,
  hasSentLegs,
  isAsAsked,
  isInLegs,
  isOldClearance,
  isOldWish,
  isOpen,
  isSentByRequest,
  legSent,
  legToSend,
  mayBeOfAnEarlierAttempt,
  NOT_CLEAR,
  NOTHING_TO_ASK,
  type Payout,
  railLeg,
  turnOf,
} from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { AskRail } from './ask-rail';
import { CheckedLegs } from './checked-legs';
import { ClearEarlier } from './clear-earlier';
import { TakeAttempts } from './take-attempts';

@Injectable()
export class SendToRail {
  constructor(
    private readonly attempts: TakeAttempts,
    private readonly clearing: ClearEarlier,
    private readonly rail: AskRail,
    private readonly caller: RailCaller,
    private readonly checked: CheckedLegs,
  ) {}

  /** For the request whose change took the send on: a rail that settles at once is called here, jobs see to others. */
  async sendOwn(payout: Payout): Promise<Payout> {
    const mine = payout.status === 'submitted' && isOpen(payout, payout.attempt);
    return mine && isSentByRequest(payout, this.rail.traits(payout)) ? this.send(payout, 'request') : payout;
  }

  /** For a job: takes the next send on, while it holds its lease, and makes the call. */
  async submit(payout: Payout, job: HeldJob, isRefused = false): Promise<Payout> {
    // Legs that have begun are brought to their end.
    const earlier = isInLegs(payout) ? NOTHING_TO_ASK : await this.clearing.stillClear(payout);
    // Of itself it is asked last: that of the others there may be many makes no old answer of this one.
    const { now, clearance: own } = await this.askedAnew(payout);
    if (!isAsAsked(now, payout) || (!own.isClear && isInLegs(payout))) return now;
    const withheld = await this.checked.withheld(payout);
    if (withheld) return withheld;
    const wish = { seen: payout, clearance: bothClear(earlier, own), job, isRefused };
    const first = await this.attempts.take({ ...wish, isAccountRead: false });
    if (first.isUnread) await this.rail.readReplacedAccount(payout);
    const { payout: after, taken } = first.isUnread
      ? await this.attempts.take({ ...wish, isAccountRead: true })
      : first;
    if (taken) return this.send(after, 'job');
    if (!isInLegs(payout) && isOldClearance(wish.clearance, this.rail.now())) noteOnJob(TOO_SLOW);
    return after;
  }

  /**
   * For a job: asks the rail, and sends again what it never saw, as long as it honours the code. A refusal may be about an earlier send;
   * then the last one, which a process took on and never told of, is made again. A payout in legs is past its first call: its rail says
   * which one is next.
   */
  async resume(payout: Payout, job: HeldJob): Promise<Payout> {
    let isClear = true;
    const look = async () => (isClear = (await this.clearing.stillClear({ ...payout, consolidates: true })).isClear);
    const fact = await this.rail.ask(payout, { isClear: look });
    const isToBeSent = fact.kind === 'never_seen' || (fact.kind === 'refused' && mayBeOfAnEarlierAttempt(payout));
    if (isInLegs(payout) && !payout.sentElsewhere) return this.rail.apply(payout, fact);
    if (isToBeSent) return this.submit(payout, job, fact.kind === 'refused');
    const after = await this.rail.apply(payout, fact);
    if ((isClear && !fact.isKept) || fact.kind !== 'unknown' || after.acceptedAttempt !== null) return after;
    // Nobody finds out more while it may not be sent: it is held then, and an operator can end it.
    const wish = { seen: after, job, clearance: NOT_CLEAR, isAccountRead: true, isRefused: false };
    return (await this.attempts.take(wish)).payout;
  }

  /**
   * A payout that starts over after calls that followed its first one makes them under other keys: the earlier ones may have moved money
   * while it waited, and only its rail can tell. The same goes for a call that its rail asked for long ago.
   */
  private async askedAnew(payout: Payout): Promise<{ now: Payout; clearance: Clearance }> {
    const leg = payout.sentElsewhere ? null : legToSend(payout);
    const isOld = leg ? isOldWish(payout, leg, this.rail.now()) : !isInLegs(payout) && hasSentLegs(payout);
    if (!isOld) return { now: payout, clearance: NOTHING_TO_ASK };
    const askedAt = this.rail.askedAt();
    const fact = await this.rail.ask(payout);
    const isClear = leg ? asksFor(fact, leg) : this.rail.saysNo(payout, fact);
    return { now: isClear ? payout : await this.rail.apply(payout, fact), clearance: { isClear, askedAt } };
  }

  private async send(payout: Payout, by: 'request' | 'job'): Promise<Payout> {
    const order = await this.rail.orderOf(payout);
    const [rail, leg, turn] = [payout.provider ?? '', legSent(payout), turnOf(payout, by)];
    const fact = leg
      ? await this.caller.advance(rail, order, railLeg(leg), turn)
      : await this.caller.submit(rail, order, { ...turn, isStopped: () => this.rail.isStopped(payout) });
    return this.rail.heard(payout, fact);
  }
}

const TOO_SLOW =
  'its rail takes so long to say what became of it that the answer is too old to act on; it will be asked again';
