/**
 * Before rows of a payout that was ever sent leave under another code, the rail is asked about the old one, and its answer counts: money
 * that it moved or has under way after all stays with that payout. If it cannot tell, the rows stay.
 */
import { Injectable } from '@nestjs/common';
import { FairSlots } from '#libs/batcher';
import { DriftReads, NameListed } from '#libs/drift';
import { DisbursementReads, type Earlier } from '#libs/owed';
import {
  answerOf,
  byCode,
  type Clearance,
  type Cleared,
  type Decided,
  type EarlierAnswer,
  isDecided,
  isFree,
  isOldAnswer,
  isSilence,
  isSilent,
  isUntold,
  isWord,
  leftOut,
  NOTHING_TO_ASK,
  type Payout,
  Portions,
  type Said,
  type SentCode,
} from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { AskRail } from './ask-rail';

/** Which payouts may leave, and whether each of their codes was asked about a moment ago, as of the time that this is read. */
export interface Free {
  payoutIds: string[];
  isAsked: () => boolean;
}

const AT_ONCE = 8;
/** Somebody waits. What was not asked about by then is asked about before the send, or stays owed for the next time. */
const ASK_FOR_MS = 5_000;

@Injectable()
export class ClearEarlier {
  /** However many withdraw at once, providers are asked no more than this. */
  private readonly questions = new FairSlots({ atOnce: 4 * AT_ONCE, perLane: AT_ONCE });

  constructor(
    private readonly reads: PayoutReads,
    private readonly rows: DisbursementReads,
    private readonly drift: DriftReads,
    private readonly listed: NameListed,
    private readonly rail: AskRail,
  ) {}

  /**
   * Asks the rails, for a while if somebody waits, about the youngest first, and last about those that were refused before; no transaction
   * is open. Payouts that an operator decided about come last: money that the operator did not know of is a new difference.
   */
  async ask(earlier: Earlier[], { beforeSend = false, byCaller = false } = {}): Promise<Cleared> {
    const said = new Map<string, Said>();
    const [askedAt, portions] = [this.askedAt(), new Portions()];
    if (earlier.length === 0) return { askedAt, lastAskedAt: null, said }; // as mostly: it costs nothing then
    const decided = await this.drift.decided(idsOf(earlier));
    const toAsk = await this.inOrder(earlier, decided, beforeSend);
    const until = beforeSend ? Infinity : performance.now() + ASK_FOR_MS;
    for (let from = 0; from < toAsk.length && performance.now() < until; from += AT_ONCE) {
      await Promise.all(
        toAsk.slice(from, from + AT_ONCE).map(async (payout) => {
          const asks = (): Promise<EarlierAnswer> => {
            portions.asks(this.askedAt());
            return this.askAbout(payout, byCaller);
          };
          said.set(payout.id, { answer: await this.questions.run(payout.clientId, asks), asked: payout });
        }),
      );
      portions.end({ at: this.askedAt(), now: this.rail.now() });
      if (beforeSend && [...said.values()].some((about) => isSilence(about, askedAt))) break; // it is not sent
    }
    for (const asked of leftOut(toAsk, said)) said.set(asked.id, { answer: 'silent', asked });
    return { askedAt, lastAskedAt: portions.askedAt, said };
  }

  /** Right before a send the youngest come last: what was refused of late is what may move after all while others are asked about. */
  private async inOrder(earlier: Earlier[], decided: Decided, beforeSend: boolean): Promise<Payout[]> {
    const toAsk = byCode(await this.reads.findAll(idsOf(earlier)), earlier)
      .sort((a, b) => this.lateness(a, decided) - this.lateness(b, decided))
      .flatMap(({ sent }) => sent ?? []);
    return beforeSend ? toAsk.reverse() : toAsk;
  }

  /** The time to date a question with that is put now. */
  askedAt(): Date {
    return this.rail.askedAt();
  }

  /** About what was sent until the payout was read. */
  private async askAbout(payout: Payout, byCaller: boolean): Promise<EarlierAnswer> {
    if (payout.status !== 'failed' && payout.status !== 'returned') return 'yes';
    const fact = await this.rail.ask(payout, { patient: false, byCaller });
    await this.rail.apply(payout, fact);
    await this.listed.of(payout);
    const heard = isWord(fact) ? null : await this.drift.heardOf(payout.id);
    const about = { payout, fact, heard, traits: this.rail.traits(payout), now: this.rail.now() };
    return isUntold(about) && (await this.listed.mayBeOut(payout)) ? 'listed' : answerOf(about);
  }

  /**
   * Locks these payouts, and returns those whose rows may leave. If one could not be asked about in time, an earlier refusal or an
   * operator's decision counts until the send, before which it is asked about: so however many there are, no row stays for good.
   */
  async lockFree(
    payeeId: string,
    earlier: Earlier[],
    { cleared, stays }: { cleared: Cleared; stays: (payout: Payout) => boolean },
  ): Promise<Free> {
    if (earlier.length === 0) return { payoutIds: [], isAsked: () => true };
    const payouts = await this.reads.lockAll(idsOf(earlier));
    const disputed = await this.drift.disputedOf(payeeId);
    const codes = byCode(payouts, earlier).filter((code) => !code.payouts.some(({ id }) => disputed.has(id)));
    const decided = await this.decidedOf(codes);
    const asked = codes.filter((code) => isFree(code, cleared, decided));
    const mayWait = (code: SentCode): boolean => this.isKnown(code) || isDecided(code, decided);
    const known = codes.filter((code) => !asked.includes(code) && mayWait(code) && !isSilent(code, cleared, decided));
    const free = [...asked, ...known].flatMap(({ payouts: ofCode }) => ofCode.filter((payout) => !stays(payout)));
    const isAsked = (): boolean => known.length === 0 && !isOldAnswer(cleared.askedAt, this.rail.now());
    return { payoutIds: idsOf(free), isAsked };
  }

  /**
   * Rows may wait for long on a payout that was not sent yet. Right before the send, rails are asked once more whether the payouts they were
   * on before still moved nothing. No rail can say that of one in dispute, which is held where that is decided.
   */
  async stillClear({ id, consolidates }: Payout, byCaller = false): Promise<Clearance> {
    if (!consolidates) return NOTHING_TO_ASK;
    const earlier = await this.rows.before(id);
    const cleared = await this.ask(earlier, { beforeSend: true, byCaller });
    const codes = byCode(await this.reads.findAll(idsOf(earlier)), earlier);
    const decided = await this.decidedOf(codes);
    return { isClear: codes.every((code) => isFree(code, cleared, decided)), askedAt: cleared.lastAskedAt };
  }

  private lateness(code: SentCode, decided: Decided): number {
    return isDecided(code, decided) ? 2 : Number(this.isKnown(code));
  }

  /** It came back; or it failed, its rail said no to that once, and all of its rows were sent on others since. */
  private isKnown({ sent, isLast }: SentCode): boolean {
    if (sent?.status === 'returned') return true;
    return !isLast && sent?.status === 'failed' && sent.supersededBy !== null && this.rail.saidNoForGood(sent);
  }

  private decidedOf(codes: SentCode[]): Promise<Decided> {
    return this.drift.decided(codes.flatMap(({ payouts }) => idsOf(payouts)));
  }
}

const idsOf = (some: { id: string }[]): string[] => some.map(({ id }) => id);
