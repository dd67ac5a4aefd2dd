/**
 * Calls the rail for a payout. A send is taken on first, under a number of its own, and only whoever took it on makes the
 * call; no transaction is open meanwhile. A crash at any point leaves a payout that is asked about, and sent again under
 * the same code if the rail never saw it.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { HeldJob } from '#libs/jobs';
import { PayeeReads } from '#libs/payees';
import type { LookupFact, RailOrder } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';
import { beginBefore, isCodeHonoured, isOpen, mayBeOfAnEarlierAttempt } from '../attempts';
import type { Payout } from '../payout';
import { saysNo } from '../rail-no';
import { isSentByRequest } from '../sent-by-request';
import { ApplyRailFact } from './apply-rail-fact';
import { TakeAttempts } from './take-attempts';

@Injectable()
export class SendToRail {
  constructor(
    private readonly attempts: TakeAttempts,
    private readonly payees: PayeeReads,
    private readonly caller: RailCaller,
    private readonly rails: Rails,
    private readonly apply: ApplyRailFact,
  ) {}

  /** For the request whose change took the send on: a rail that settles at once is called here, jobs see to others. */
  async finish(payout: Payout): Promise<Payout> {
    const mine = payout.status === 'submitted' && isOpen(payout, payout.attempt);
    return mine && isSentByRequest(payout, this.rails.traits(payout.provider)) ? this.send(payout, 'request') : payout;
  }

  /** For a job: takes the next send on, while it holds its lease, and makes the call. */
  async submit(payout: Payout, job: HeldJob): Promise<Payout> {
    const { payout: after, taken } = await this.attempts.take(payout, job);
    return taken ? this.send(after, 'job') : after;
  }

  /**
   * For a job: asks the rail, and sends again, while it honours the code, what it never saw. A refusal may be of an earlier
   * send; then the last one, which somebody took on and never told of, is made again.
   */
  async resume(payout: Payout, job: HeldJob): Promise<Payout> {
    const fact = await this.ask(payout);
    const isToBeSent = fact.kind === 'never_seen' || (fact.kind === 'refused' && mayBeOfAnEarlierAttempt(payout));
    return isToBeSent ? this.submit(payout, job) : this.learn(payout, fact);
  }

  /**
   * What came to rest here, and of which the rail says this: whether sending it again would move nothing twice. A rail that
   * has forgotten the code would take it for a new one, unless it says that it refused it. One that cannot be asked may have
   * accepted what it refused at first. What it has is not to be sent, but to be learned.
   */
  mayBeSentAgain(payout: Payout, fact: LookupFact): boolean {
    const ever = { ...payout, codeSince: payout.submittedAt };
    if (fact.kind === 'unknown') return isCodeHonoured(ever, this.rails.traits(payout.provider), this.attempts.now());
    return fact.kind !== 'never_seen' || this.saysNo(payout, fact);
  }

  /** Its rail refused all that was sent, and says no to it still: the next send is the first that counts. */
  isRefused(payout: Payout, fact: LookupFact): boolean {
    const wasRefused = fact.kind === 'refused' || payout.status === 'failed' || payout.shortOf === 'rail';
    return wasRefused && this.saysNo(payout, fact);
  }

  /** Nothing of what was sent so far moved, and nothing will. */
  saysNo(payout: Payout, fact: LookupFact): boolean {
    return saysNo(payout, fact, this.rails.traits(payout.provider), this.attempts.now());
  }

  /** Asks the rail what became of the payout. */
  async lookUp(payout: Payout): Promise<Payout> {
    return this.learn(payout, await this.ask(payout));
  }

  learn(asked: Payout, fact: LookupFact): Promise<Payout> {
    return this.apply.run({ fact, asked, by: 'lookup', isNo: this.saysNo(asked, fact) });
  }

  /** What the rail says of it, without any consequence here. */
  async ask(payout: Payout, { patient = true } = {}): Promise<LookupFact> {
    return this.caller.lookup(payout.provider ?? '', await this.orderOf(payout), { patient });
  }

  /** Whom it pays is fixed since it was authorized, whatever became of the payee. */
  async orderOf(payout: Payout): Promise<RailOrder> {
    const { railKey, payeeId, externalId, amountCents, currency, reason, accountId } = payout;
    const destination = payout.destination ?? (await this.payees.find(payout.clientId, payeeId));
    if (!destination) throw new Refusal('payee_not_found', `Payee ${payeeId} of payout ${payout.id} is gone.`);
    const { email, name, country } = destination;
    const payee = { id: payeeId, externalId, email, name, country };
    return { railKey, payoutId: payout.id, amountCents, currency, reason, accountId, payee };
  }

  private async send(payout: Payout, by: 'request' | 'job'): Promise<Payout> {
    const order = await this.orderOf(payout);
    const fact = await this.caller.submit(payout.provider ?? '', order, beginBefore(payout, by));
    return this.apply.run({ fact, asked: payout, by: 'submission' });
  }
}
