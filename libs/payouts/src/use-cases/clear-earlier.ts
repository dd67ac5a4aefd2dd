/**
 * Before rows of a payout that was ever sent leave under another code, the rail is asked about the old one, and what it
 * says counts: money it moved or has under way after all stays with that payout. What it cannot tell keeps the rows back.
 */
import { Injectable } from '@nestjs/common';
import { FairSlots } from '#libs/gatherer';
import { DriftReads } from '../db/drift.reads';
import { PayoutReads } from '../db/payout.reads';
import { PayoutStore } from '../db/payout.store';
import type { Payout } from '../payout';
import { SendToRail } from './send-to-rail';

/** The payouts that the rail was asked about, as they stood then: it moved nothing for them, and will not. */
export type Cleared = ReadonlyMap<string, Pick<Payout, 'sequence' | 'attempt'>>;

const AT_ONCE = 8;
/** Somebody waits. What was not asked about by then stays owed, for the next time. */
const ASK_FOR_MS = 5_000;

@Injectable()
export class ClearEarlier {
  /** However many withdraw at once, providers are asked no more than this. */
  private readonly questions = new FairSlots({ atOnce: 4 * AT_ONCE, perLane: AT_ONCE });

  constructor(
    private readonly reads: PayoutReads,
    private readonly store: PayoutStore,
    private readonly drift: DriftReads,
    private readonly sender: SendToRail,
  ) {}

  /**
   * Asks the rails for a while, about the youngest first; no transaction is open. A rail that could not be asked once is not
   * waited for again.
   */
  async ask(payoutIds: string[]): Promise<Cleared> {
    const cleared = new Map<string, Payout>();
    if (payoutIds.length === 0) return cleared; // as mostly: it costs nothing then
    const silent = new Set<string | null>();
    const decided = await this.drift.decided(payoutIds);
    const sent = await this.lastSentOfEachCode(payoutIds);
    const toAsk = sent
      .filter((payout) => !decided.has(payout.id) && !isOver(payout))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    const until = performance.now() + ASK_FOR_MS;
    for (let from = 0; from < toAsk.length && performance.now() < until; from += AT_ONCE) {
      const some = toAsk.slice(from, from + AT_ONCE).filter(({ provider }) => !silent.has(provider));
      await Promise.all(
        some.map(async (payout) => {
          const answer = await this.questions.run(payout.clientId, () => this.askAbout(payout));
          if (answer === 'no') cleared.set(payout.id, payout);
          if (answer === 'cannot tell') silent.add(payout.provider);
        }),
      );
    }
    await this.store.clear([...cleared.keys()]);
    return cleared;
  }

  private async lastSentOfEachCode(payoutIds: string[]): Promise<Payout[]> {
    const payouts = await this.reads.findAll(payoutIds);
    return [...byCode(payouts.filter(wasSent)).values()].map(lastOf);
  }

  /** No only if nothing became of the payout since it was looked at: the answer is about what was sent until then. */
  private async askAbout(payout: Payout): Promise<'no' | 'yes' | 'cannot tell'> {
    if (payout.status !== 'failed') return 'yes';
    const fact = await this.sender.ask(payout, { patient: false });
    const after = await this.sender.learn(payout, fact);
    if (fact.kind === 'unknown') return 'cannot tell';
    return this.sender.saysNo(payout, fact) && isAsItWas(after, payout) ? 'no' : 'yes';
  }

  /** Locks these payouts, and returns those whose rows may leave. */
  async lockFree(payeeId: string, payoutIds: string[], cleared: Cleared): Promise<string[]> {
    if (payoutIds.length === 0) return [];
    const earlier = await this.reads.lockAll(payoutIds);
    const disputed = await this.drift.disputedOf(payeeId);
    // What an operator looked into is not asked about again: the rail would only repeat itself.
    const decided = await this.drift.decided(payoutIds);
    const isFree = (payout: Payout): boolean => decided.has(payout.id) || isOver(payout) || isCleared(payout, cleared);
    return [...byCode(earlier).values()].flatMap((ofCode) => {
      const sent = ofCode.filter(wasSent);
      if (ofCode.some(({ id }) => disputed.has(id)) || (sent.length > 0 && !isFree(lastOf(sent)))) return [];
      return ofCode.map(({ id }) => id);
    });
  }
}

/**
 * It ended for good, its rail said no to that once, and its rows went on: it is not asked about with each of their later
 * payouts again. Money that moves all the same is found by comparing.
 */
const isOver = ({ clearedAt, supersededBy, failureKind }: Payout): boolean =>
  clearedAt !== null && supersededBy !== null && failureKind === 'permanent';

const wasSent = ({ submittedAt }: Payout): boolean => submittedAt !== null;

/** The rail knows payouts of one code as one; the last of them speaks for all. */
function byCode(payouts: Payout[]): Map<string, Payout[]> {
  const groups = new Map<string, Payout[]>();
  for (const payout of payouts) {
    const code = `${payout.provider} ${payout.railKey}`;
    groups.set(code, [...(groups.get(code) ?? []), payout]);
  }
  return groups;
}

/** The one that is not superseded, and otherwise the youngest: ids rise with time. */
const lastOf = (payouts: Payout[]): Payout =>
  payouts.reduce((last, payout) => (ageOf(payout) > ageOf(last) ? payout : last));

const ageOf = ({ supersededBy, id }: Payout): string => `${supersededBy === null ? 1 : 0}${id}`;

const isAsItWas = (one: Payout, other: Pick<Payout, 'sequence' | 'attempt'>): boolean =>
  one.status === 'failed' && one.sequence === other.sequence && one.attempt === other.attempt;

function isCleared(payout: Payout, cleared: Cleared): boolean {
  const asked = cleared.get(payout.id);
  return asked !== undefined && isAsItWas(payout, asked);
}
