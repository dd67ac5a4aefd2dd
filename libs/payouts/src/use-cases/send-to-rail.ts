/**
 * Calls the rail for a payout. A send is taken on first, under a number of its own, and only whoever took it on makes the
 * call; no transaction is open meanwhile. A crash at any point leaves a payout that is asked about, and sent again under
 * the same code if the rail never saw it.
 */
import { Injectable } from '@nestjs/common';
import type { HeldJob } from '#libs/jobs';
import { RailCaller } from '#libs/rail-registry';
import { beginBefore, isOpen, mayBeOfAnEarlierAttempt } from '../attempts';
import type { Payout } from '../payout';
import { isSentByRequest } from '../sent-by-request';
import { ApplyRailFact } from './apply-rail-fact';
import { AskRail } from './ask-rail';
import { ClearEarlier } from './clear-earlier';
import { TakeAttempts } from './take-attempts';

@Injectable()
export class SendToRail {
  constructor(
    private readonly attempts: TakeAttempts,
    private readonly clearing: ClearEarlier,
    private readonly rail: AskRail,
    private readonly caller: RailCaller,
    private readonly apply: ApplyRailFact,
  ) {}

  /** For the request whose change took the send on: a rail that settles at once is called here, jobs see to others. */
  async finish(payout: Payout): Promise<Payout> {
    const mine = payout.status === 'submitted' && isOpen(payout, payout.attempt);
    return mine && isSentByRequest(payout, this.rail.traits(payout)) ? this.send(payout, 'request') : payout;
  }

  /** For a job: takes the next send on, while it holds its lease, and makes the call. */
  async submit(payout: Payout, job: HeldJob): Promise<Payout> {
    const isClear = await this.clearing.isStillClear(payout);
    const { payout: after, taken } = await this.attempts.take({ seen: payout, isClear, job });
    return taken ? this.send(after, 'job') : after;
  }

  /**
   * For a job: asks the rail, and sends again, while it honours the code, what it never saw. A refusal may be of an earlier
   * send; then the last one, which somebody took on and never told of, is made again.
   */
  async resume(payout: Payout, job: HeldJob): Promise<Payout> {
    const fact = await this.rail.ask(payout);
    const isToBeSent = fact.kind === 'never_seen' || (fact.kind === 'refused' && mayBeOfAnEarlierAttempt(payout));
    return isToBeSent ? this.submit(payout, job) : this.rail.learn(payout, fact);
  }

  private async send(payout: Payout, by: 'request' | 'job'): Promise<Payout> {
    const order = await this.rail.orderOf(payout);
    const fact = await this.caller.submit(payout.provider ?? '', order, beginBefore(payout, by));
    return this.apply.run({ fact, asked: payout, by: 'submission' });
  }
}
