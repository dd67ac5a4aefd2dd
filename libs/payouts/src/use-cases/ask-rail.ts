/** Asks the rail of a payout what became of it, and says what its answer means. No transaction is open meanwhile. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { PayeeReads, ReadAccount } from '#libs/payees';
import {
  type Asked,
  isAtItsFirstCall,
  isKeptBack,
  mayBeSentAgain,
  noIn,
  orderTo,
  type Payout,
  type Report,
  saidNo,
  saysNo,
  whyNothingMoves,
} from '#libs/payout-rules';
import type { LookupFact, RailOrder, RailTraits } from '#libs/rail-kit';
import { type Asking, RailCaller, Rails } from '#libs/rail-registry';
import { ApplyRailFact } from './apply-rail-fact';

@Injectable()
export class AskRail {
  constructor(
    private readonly payees: PayeeReads,
    private readonly caller: RailCaller,
    private readonly rails: Rails,
    private readonly facts: ApplyRailFact,
    private readonly accounts: ReadAccount,
  ) {}

  now(): Date {
    return this.caller.now();
  }

  /** The time to date a question with that is put now. */
  askedAt(): Date {
    return this.caller.askedAt();
  }

  traits({ provider }: Payout): RailTraits | null {
    return this.rails.traits(provider);
  }

  /** Notes with the job why it waits; returns in how many seconds its provider wants to hear from us; null: it did not say. */
  async putOff({ provider }: Payout): Promise<number | null> {
    return provider ? this.caller.putOff(provider) : null;
  }

  /** Asks the rail, and changes nothing here. `byCaller`: a caller may ask as often as they like. Without `isClear` nothing is sent. */
  async ask(payout: Payout, how: Asking = {}): Promise<LookupFact & Asked> {
    let askedAt = this.askedAt();
    const isPut = (): void => void (askedAt = this.askedAt()); // it may wait for its turn until then
    let kept: Promise<boolean> | undefined;
    const isKept = (): Promise<boolean> => (kept ??= this.isKept(payout));
    const movesNothing = async () => whyNothingMoves(payout, await isKept());
    const isStopped = (): Promise<boolean> => this.isKept(payout);
    const question = { ...how, movesNothing, isStopped, isPut };
    const fact = await this.caller.lookup(payout.provider ?? '', await this.orderOf(payout), question);
    return { ...fact, askedAt, isKept: await isKept() };
  }

  /** Under way as it was read, and nothing of it may be sent by now: it came to rest, or what it pays is kept back. */
  private async isKept(payout: Payout): Promise<boolean> {
    if (payout.status !== 'submitted') return false;
    const look = (await this.payees.lastLook([payout])).get(payout.id);
    if (look?.payoutStatus !== 'submitted') return true;
    if (!isAtItsFirstCall(payout)) return false;
    const mayHaveMoved = payout.consolidates && this.rails.mayHaveMoved(payout, { ...look, comparedAgo: null });
    return mayHaveMoved || isKeptBack(payout, look);
  }

  /** It would not be sent, if it came to that now. */
  async isStopped(payout: Payout): Promise<boolean> {
    const look = (await this.payees.lastLook([payout])).get(payout.id);
    return look !== undefined && isKeptBack(payout, look);
  }

  /** Applies the answer to a call. */
  async heard(asked: Payout, fact: Report['fact']): Promise<Payout> {
    const after = await this.facts.run({ fact, asked, by: 'submission' });
    await this.askAboutAccount(asked, fact);
    return after;
  }

  /** How the account stands that it pays to, if its payee is paid over another by now. */
  async readReplacedAccount(payout: Payout): Promise<void> {
    if (payout.custody === 'custodial') await this.accounts.ofReplaced(payout);
  }

  async apply(asked: Payout, { askedAt, isKept: _, ...fact }: LookupFact & Partial<Asked>): Promise<Payout> {
    const no = noIn(asked, fact, { traits: this.traits(asked), now: this.now(), askedAt });
    const after = await this.facts.run({ fact, asked, by: 'lookup', askedAt, ...no });
    await this.askAboutAccount(asked, fact);
    return after;
  }

  /** If its rail says that the account cannot take it: how the account stands is asked soon. */
  private async askAboutAccount(payout: Payout, fact: { kind: string; failure?: string }): Promise<void> {
    if (fact.kind === 'refused' && fact.failure === 'account') await this.accounts.askSoon(payout);
  }

  async lookUp(payout: Payout, { byCaller = false } = {}): Promise<Payout> {
    return this.apply(payout, await this.ask(payout, { byCaller }));
  }

  /** Nothing of what was sent so far moved, and nothing will. */
  saysNo(payout: Payout, fact: LookupFact): boolean {
    return saysNo(payout, fact, this.traits(payout), this.now());
  }

  /** It said no once, and that counts although it may have forgotten the code since. */
  saidNoForGood(payout: Payout): boolean {
    return saidNo(payout) && this.saysNo(payout, { kind: 'never_seen' });
  }

  /** Its rail refused all that was sent, and says no to it still: the next send is the first that counts. */
  isRefused(payout: Payout, fact: LookupFact): boolean {
    const wasRefused = fact.kind === 'refused' || payout.status === 'failed' || payout.shortOf === 'rail';
    return wasRefused && this.saysNo(payout, fact);
  }

  mayBeSentAgain(payout: Payout, fact: LookupFact): boolean {
    return mayBeSentAgain(payout, fact, this.traits(payout), this.now());
  }

  /** Whom it pays and in whose name is fixed since it was authorized, whatever became of the payee and the client. */
  async orderOf(payout: Payout): Promise<RailOrder> {
    const { id, clientId, payeeId } = payout;
    const destination = payout.destination ?? (await this.payees.find(clientId, payeeId));
    if (!destination) throw new Refusal('payee_not_found', `Payee ${payeeId} of payout ${id} is gone.`);
    return orderTo(destination, payout, this.rails.deployment);
  }
}
