/** Asks the rail of a payout what became of it, and says what its answer means. No transaction is open meanwhile. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { PayeeReads } from '#libs/payees';
import type { LookupFact, RailOrder, RailTraits } from '#libs/rail-kit';
import { RailCaller, Rails } from '#libs/rail-registry';
import { isCodeHonoured } from '../attempts';
import type { Payout } from '../payout';
import { saysNo } from '../rail-no';
import { ApplyRailFact } from './apply-rail-fact';

@Injectable()
export class AskRail {
  constructor(
    private readonly payees: PayeeReads,
    private readonly caller: RailCaller,
    private readonly rails: Rails,
    private readonly apply: ApplyRailFact,
  ) {}

  now(): Date {
    return this.caller.now();
  }

  /** What a question that is put now is dated with. */
  askedAt(): Date {
    return this.caller.askedAt();
  }

  traits({ provider }: Payout): RailTraits | null {
    return this.rails.traits(provider);
  }

  /** What the rail says of it, without any consequence here. */
  async ask(payout: Payout, { patient = true } = {}): Promise<LookupFact> {
    return this.caller.lookup(payout.provider ?? '', await this.orderOf(payout), { patient });
  }

  learn(asked: Payout, fact: LookupFact): Promise<Payout> {
    return this.apply.run({ fact, asked, by: 'lookup', isNo: this.saysNo(asked, fact) });
  }

  async lookUp(payout: Payout): Promise<Payout> {
    return this.learn(payout, await this.ask(payout));
  }

  /** Nothing of what was sent so far moved, and nothing will. */
  saysNo(payout: Payout, fact: LookupFact): boolean {
    return saysNo(payout, fact, this.traits(payout), this.now());
  }

  /** Its rail refused all that was sent, and says no to it still: the next send is the first that counts. */
  isRefused(payout: Payout, fact: LookupFact): boolean {
    const wasRefused = fact.kind === 'refused' || payout.status === 'failed' || payout.shortOf === 'rail';
    return wasRefused && this.saysNo(payout, fact);
  }

  /**
   * What came to rest here, and of which the rail says this: whether sending it again would move nothing twice. A rail that
   * has forgotten the code would take it for a new one, unless it says that it refused it. One that cannot be asked may have
   * accepted what it refused at first. What it has is not to be sent, but to be learned.
   */
  mayBeSentAgain(payout: Payout, fact: LookupFact): boolean {
    const ever = { ...payout, codeSince: payout.submittedAt };
    if (fact.kind === 'unknown') return isCodeHonoured(ever, this.traits(payout), this.now());
    return fact.kind !== 'never_seen' || this.saysNo(payout, fact);
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
}
