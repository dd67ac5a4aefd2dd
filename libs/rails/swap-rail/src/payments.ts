/** The first leg of a payout, from the treasury to its payee's wallet, and what became of it. */
import type { Clock, LookupAnswer, RailCall, RailOrder, Refused, SubmitAnswer, SubmitFact } from '#libs/rail-kit';
import { usdcOf } from './amounts';
import type { CircleClient } from './circle.client';
import type { Problem } from './circle.shapes';
import type { CircleSight, Seen, Sight } from './circle.sight';
import type { DrainRecords } from './drain-records';
import { payReference } from './references';
import { isInDoubt, isUnsent } from './sendings';
import {
  cameToNothing,
  codeOf,
  firstLegRefused,
  isAboutUs,
  isOver,
  notNow,
  putOff,
  reasonFor,
  stateOf,
  unanswered,
} from './swap-rail.mapping';
import type { Place } from './treasury';
import type { Tries, Try } from './tries';
import type { Wallets } from './wallets';

const NO_AMOUNT: Refused = { kind: 'refused', failure: 'permanent', reason: 'no amount of USDC' };
const FROZEN: Refused = { kind: 'refused', failure: 'transient', reason: "the payee's wallet is frozen at Circle" };
const IN_DOUBT = { kind: 'unknown', detail: 'sent a moment ago with an answer that was lost' } as const;
const ANOTHER_TRY = { kind: 'unknown', detail: 'another process sends the next try of it' } as const;

export interface PaymentParts {
  client: CircleClient;
  sight: CircleSight;
  tries: Tries;
  drains: DrainRecords;
  wallets: Wallets;
  clock: Clock;
  tokenId: string;
  /** The deployment that made the transfers, if several share the account. */
  deployment: string;
}

type Unseen = Exclude<Seen, { kind: 'seen' | 'nothing' }>;

export class Payments {
  constructor(private readonly parts: PaymentParts) {}

  /** Circle is asked before it is told: whatever we have forgotten, a first leg that is there is not made once more. */
  async submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    const amount = usdcOf(order);
    // The traits keep such an amount away; nothing was sent.
    if (amount === null) return NO_AMOUNT;
    const attempt = await this.parts.tries.current(order.railKey);
    const seen = await this.parts.sight.look(order, attempt, call);
    if (seen.kind === 'seen' && (!isOver(seen.sight) || seen.sight.number >= attempt.number))
      return sentAgain(await this.told(seen.sight));
    if (seen.kind === 'seen') return this.send(order, { attempt, amount, place: seen.sight.place }, call);
    if (seen.kind === 'nothing') return this.send(order, { attempt, amount, place: seen.place }, call);
    const isOurs = seen.kind === 'rejected' && isAboutUs(seen.status, seen.problem);
    return isOurs && isNothingSent(attempt) ? aboutUs(seen.problem) : unseen(seen);
  }

  /** Asks alone: it never sends anything to find out. */
  async lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    const { tries, sight, clock } = this.parts;
    const attempt = await tries.read(order.railKey);
    const seen = await sight.look(order, attempt, call);
    const inDoubt = attempt !== null && isInDoubt(attempt, clock.now()) ? attempt.number : 0;
    if (seen.kind === 'seen' && !isOfBefore(seen.sight, inDoubt)) return this.told(seen.sight);
    if (seen.kind !== 'seen' && seen.kind !== 'nothing') return unseen(seen);
    // A payout under way is sent again under the same key. One at rest may leave with another payout.
    return call?.movesNothing === 'at_rest' && inDoubt > 0 ? IN_DOUBT : { kind: 'never_seen' };
  }

  /** What Circle shows of it, and the one thing that it does not tell: that it rejected a drain. */
  async told(sight: Sight): Promise<SubmitFact> {
    const fact = stateOf(sight, this.parts.tokenId, await this.refusedDrain(sight));
    if (fact.kind !== 'refused') return fact;
    const { railKey, number } = sight;
    if (fact.failure === 'expired' && !(await this.parts.drains.close({ railKey, number })))
      return { kind: 'unknown', detail: 'taken back at Circle, while a drain may be under way' };
    await this.parts.tries.isOver(railKey, number);
    return fact;
  }

  private async refusedDrain(sight: Sight): Promise<{ key: string; reason: string } | undefined> {
    const failed = sight.drains.filter(({ transaction, legKey }) => legKey !== '' && cameToNothing(transaction));
    const last = await this.parts.drains.last(sight);
    // Circle lists the last one first.
    const one = last ? failed.find(({ legKey }) => legKey === last.legKey) : failed[0];
    if (one) {
      const reason = reasonFor(one.transaction);
      // A process that sleeps before it makes the same call again would start it over, and hide what was begun since.
      if (!last || last.refused === null) await this.parts.drains.cameToNothing(one.legKey, reason);
      return { key: one.legKey, reason };
    }
    return last && last.refused !== null ? { key: last.legKey, reason: last.refused } : undefined;
  }

  private async send(order: RailOrder, sending: Sending, call?: RailCall): Promise<SubmitAnswer> {
    const { client, tries, wallets, deployment } = this.parts;
    const { attempt, amount, place } = sending;
    const { railKey } = order;
    const wallet = await wallets.opened(order, place, call?.signal);
    if (wallet.kind === 'rejected') return this.notOpened(attempt, wallet.status, wallet.problem);
    if (wallet.kind !== 'done') return unanswered(wallet);
    if (wallet.found.state !== 'LIVE') return isNothingSent(attempt) ? FROZEN : IN_DOUBT;
    const which = await tries.sending(railKey, attempt);
    if (which === null) return ANOTHER_TRY;
    const wanted = {
      ...{ idempotencyKey: attempt.key, walletId: place.treasuryId, destinationAddress: wallet.found.address, amount },
      refId: payReference(railKey, attempt.number, deployment),
    };
    const answer = await client.transfer(wanted, call?.signal);
    if (answer.kind === 'done') return this.made(order, attempt, answer.found.data.id, call);
    if (answer.kind === 'unclear') return unanswered(answer);
    const isSure = await tries.wasTurnedAway(railKey, attempt, which);
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    if (answer.kind === 'not_made') return putOff(answer.detail);
    return this.turnedAway(railKey, attempt, firstLegRefused(answer.status, answer.problem), isSure);
  }

  /** Circle said no more than that it is there. */
  private async made(order: RailOrder, attempt: Try, id: string, call?: RailCall): Promise<SubmitAnswer> {
    await this.parts.tries.made(order.railKey, attempt, id);
    const seen = await this.parts.sight.look(order, { ...attempt, transactionId: id }, call);
    return seen.kind === 'seen' ? this.told(seen.sight) : { kind: 'accepted', providerRef: id };
  }

  private async turnedAway(
    railKey: string,
    attempt: Try,
    said: ReturnType<typeof firstLegRefused>,
    isSure: boolean,
  ): Promise<SubmitAnswer> {
    if (said.kind !== 'refused') return said;
    if (!isSure) return { kind: 'unknown', detail: `${said.reason}, and sent before with an answer that was lost` };
    if (said.failure === 'credentials' || (await this.parts.tries.endsUnsent(railKey, attempt))) return said;
    return { kind: 'unknown', detail: `${said.reason}, and sent again meanwhile` };
  }

  /** No money was sent this time: a wallet was not to be had. */
  private notOpened(attempt: Try, status: number, problem: Problem): SubmitAnswer {
    if (isAboutUs(status, problem) && isNothingSent(attempt)) return aboutUs(problem);
    return unanswered({ kind: 'rejected', status, problem });
  }
}

interface Sending {
  attempt: Try;
  amount: string;
  place: Place;
}

const isNothingSent = (attempt: Try): boolean => attempt.transactionId === null && isUnsent(attempt);

/** A try that came to nothing does not tell about the next one, which Circle may not list yet. */
const isOfBefore = (sight: Sight, inDoubt: number): boolean => isOver(sight) && sight.number < inDoubt;

/** That nobody came for it is only told by a look-up. */
const sentAgain = (fact: SubmitFact): SubmitFact =>
  fact.kind === 'refused' && fact.failure === 'expired' ? { kind: 'unknown', detail: fact.reason } : fact;

const aboutUs = (problem: Problem): Refused => ({
  kind: 'refused',
  failure: 'credentials',
  reason: `Circle does not know us: ${codeOf(problem)}`,
});

export function unseen(seen: Unseen): LookupAnswer & SubmitAnswer {
  return seen.kind === 'unsure' ? { kind: 'unknown', detail: seen.detail } : unanswered(seen);
}
