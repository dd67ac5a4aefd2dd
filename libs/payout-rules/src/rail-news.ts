/**
 * Turns a rail's reports into the steps of a payout. Facts come late, twice and out of order, from processes that may have lost their
 * turn meanwhile. Money that moved is believed whenever it is heard; a refusal only when nothing can follow it.
 */
import { statusReason } from '#libs/domain';
import type { Bounced, Refused, Settled } from '#libs/rail-kit';
import { isAsAsked, isForgotten, isOnlyAttempt, isOpen, isStillOpen, underWay, without } from './attempts';
import { backToPayee, isRefusedLeg } from './begun-legs';
import { newLinkIn } from './claim-link';
import { isTakenOn, legSent, legSettled, mayTakeLegs, legsOver, legsStillToSend, legsTold, legToSend } from './legs';
import type { NewDrift } from '#libs/drift';
import { isPaidAfterAll } from './given-up';
import { driftOf, isAskedOnceReturned, isMoney, isNotOver, type Money, spokenOf, takenBack } from './money-elsewhere';
import { changeOf, type Payout, type PayoutChange, withFacts, withStep } from './payout';
import { withoutLastWord } from './rail-no';
import { isSecond, referenceOf } from './rail-reference';
import { refused } from './rail-refusal';
import { isOldLookUp, isShownElsewhere, type Report, saidAt } from './rail-report';

export interface WhatChanges {
  change: PayoutChange;
  /** Money is under way, or moved, for a payout that ended, or under a second reference: somebody has to look. */
  drift: NewDrift[];
  /** The answer is older than what is known: the rail is to be asked again. */
  isStale?: boolean;
}

export function whatChanges(known: PayoutChange, report: Report, now: Date): WhatChanges {
  const { change, drift, ...news } = newsOf(known, report, now);
  const at = { saidAt: saidAt(report) };
  return { ...news, change: withoutLastWord(change, drift), drift: drift.map((found) => ({ ...found, ...at })) };
}

function newsOf(known: PayoutChange, report: Report, now: Date): WhatChanges {
  const { fact } = report;
  if (isMoney(fact)) return moneyHeardOf(known, { ...report, fact }, now);
  switch (fact.kind) {
    case 'refused':
      return { change: refusal(known, { ...report, fact }, now), drift: takenBack(known.after, report) };
    case 'not_sent':
      return {
        change: isForgotten(known.after, report.asked) ? known : stillToSend(answered(known, report), report),
        drift: [],
      };
    case 'never_seen':
      return { change: known, drift: [] };
    case 'unknown':
      // Unknown is no step: the payout stays as it is until somebody knows.
      return { change: known, drift: spokenOf(known.after, fact) };
  }
}

/**
 * An operator found out that money arrived, although its payout had failed or was held only for now: it is paid. null if it ended for
 * good, or was never sent.
 */
export function foundPaid(payout: Payout, providerRef: string | null): PayoutChange | null {
  if (endedForGood(payout)) return null;
  const change = goesOn(changeOf(payout), 'operator');
  const ref = referenceOf(payout) ?? providerRef ?? payout.providerRef;
  const facts = { providerRef: ref, settledAt: null };
  return change && withStep(withoutOpenSends(change), { on: 'settle', actor: 'operator', facts });
}

/** The attempt that a submission answers is over. */
function answered(change: PayoutChange, { by, asked }: Report): PayoutChange {
  if (by === 'lookup' || !isStillOpen(change.after, asked)) return change;
  return withFacts(change, { openAttempts: without(change.after, asked.attempt) });
}

/** The last send was not made: what its rail says meanwhile is said of one before it, and ends nothing. */
function stillToSend(change: PayoutChange, { asked }: Report): PayoutChange {
  const { status, attempt, acceptedAttempt } = change.after;
  if (attempt === asked.attempt && legSent(asked) && !isTakenOn(change.after, asked))
    return withFacts(change, { legs: legsStillToSend(change.after) });
  const isLast = status === 'submitted' && attempt === asked.attempt && acceptedAttempt === null;
  return isLast ? withFacts(change, { toSend: true }) : change;
}

function moneyHeardOf(known: PayoutChange, report: Report & { fact: Money }, now: Date): WhatChanges {
  const { fact } = report;
  if (isOverheard(known.after, report)) return { change: overheard(known, report), drift: [], isStale: true };
  const change = withFee(answered(known, report), fact);
  const { status } = change.after;
  const drift = twice(change.after, report);
  if (status === 'paid' && fact.kind === 'bounced')
    return { change: bounced(withoutOpenSends(change, fact.kind), fact), drift };
  if (status === 'paid' || status === 'returned') {
    const landing = landed(change, fact, drift.length === 0);
    if (mayTakeLegs(change.after)) return { change: withLegs(landing, known.after, report, now), drift };
    const isNamed = drift.length === 0 && isNotOver(change.after, report);
    return { change: landing, drift: isNamed ? [driftOf(change.after, fact)] : drift };
  }
  if (endedForGood(change.after)) return { change, drift: wasHere(change.after) ? [driftOf(change.after, fact)] : [] };
  const underWayAgain = goesOn(change, 'rail', isShownElsewhere(report));
  if (!underWayAgain) return { change, drift };
  return { change: withLegs(told(underWayAgain, report, now), known.after, report, now), drift };
}

/**
 * Legs do not follow money under a second reference: it is not this payout's. Nor do they follow an answer that is heard after its call
 * was over: the rail says what is still to be done when it is asked.
 */
function withLegs(change: PayoutChange, known: Payout, report: Report & { fact: Money }, now: Date): PayoutChange {
  const { fact, asked, by } = report;
  if (fact.kind === 'bounced' || twice(known, report).length > 0) return change;
  const isStillSo = by === 'submission' ? isStillOpen(known, asked) : isAsAsked(known, asked);
  if (fact.kind === 'settled') return isStillSo ? legSettled(change, report) : change;
  if (isRefusedLeg(known, fact)) return isLastWord(known, report, now) ? backToPayee(change, fact) : change;
  return legsTold(change, { fact, asked, by, isStillSo }, now);
}

/**
 * The rail had it when it was asked, and more happened since, or that was asked about another payout of the code: it may have refused that
 * try, and taken on another. What it said to a call itself counts for a payout that nothing is under way for, however old it is.
 */
function isOverheard(known: Payout, report: Report & { fact: Money }): boolean {
  if (isOfWhatCameBack(known, report)) return true;
  const { fact, asked, by, since } = report;
  if (fact.kind === 'settled' || fact.kind === 'bounced') return false;
  if (since !== undefined) return true;
  if (by === 'lookup') return isOldLookUp(known, asked);
  const isOnItsWay = known.status === 'submitted' || known.status === 'paid' || known.status === 'returned';
  return isOnItsWay && isOldCall(known, { fact, asked });
}

/** It came back, and was asked about before that: of its own money the answer says nothing. That it came back says the same again. */
const isOfWhatCameBack = (known: Payout, report: Report & { fact: Money }): boolean =>
  known.status === 'returned' &&
  !isAskedOnceReturned(known, report) &&
  !('providerRef' in report.fact && isSecond(known, report.fact)) &&
  (report.since !== undefined || (report.by === 'lookup' && report.fact.kind === 'settled'));

/**
 * Its call is over, or its rail refused it before the next one was made, or took on a later one under another reference. If not, it answers
 * one of several calls under one code, and counts for all of them, whichever is heard first.
 */
function isOldCall(known: Payout, { fact, asked }: Pick<Report, 'asked'> & { fact: Money }): boolean {
  const open = known.openAttempts.find(({ attempt }) => attempt === asked.attempt);
  if (!open || open.refusedSince) return true;
  const isLaterOne = known.acceptedAttempt !== null && known.acceptedAttempt > asked.attempt;
  return isLaterOne && 'providerRef' in fact && isSecond(known, fact);
}

/** Nobody knows whether that send still counts, but it did arrive: from then on its rail keeps the code for so long, and no longer. */
function overheard(known: PayoutChange, report: Report): PayoutChange {
  if (report.by === 'lookup' && report.since === undefined) return known;
  const [change, codeSince] = [answered(known, report), firstSend(known.after, report)];
  return codeSince?.getTime() === known.after.codeSince?.getTime() ? change : withFacts(change, { codeSince });
}

/** As its rail said last: a fee may be known only when the money has left. One of a second payment is not its own. */
function withFee(change: PayoutChange, fact: Money): PayoutChange {
  const { railFeeCents, railFeeCurrency } = change.after;
  if (!('fee' in fact) || !fact.fee || isSecond(change.after, fact)) return change;
  const { amountCents, currency } = fact.fee;
  if (railFeeCents === amountCents && railFeeCurrency === currency) return change;
  return withFacts(change, { railFeeCents: amountCents, railFeeCurrency: currency });
}

/** It was paid by word of an operator, or came back before it was heard of, or a restore took the reference away. */
function withReference(change: PayoutChange, fact: Money): PayoutChange {
  const isFirst = change.after.providerRef === null && 'providerRef' in fact;
  return isFirst ? withFacts(change, { providerRef: fact.providerRef }) : change;
}

/** It counts as paid since its rail said that the money had left, and now it tells when that arrived. Of other money nothing is its own. */
function landed(known: PayoutChange, fact: Money, isItsOwn: boolean): PayoutChange {
  if (!isItsOwn) return known;
  const change = withReference(known, fact);
  const { status, settledAt } = change.after;
  const isNews = status === 'paid' && settledAt === null && fact.kind === 'settled' && fact.settledAt !== null;
  return isNews ? withStep(change, { on: 'land', actor: 'rail', facts: { settledAt: fact.settledAt } }) : change;
}

/** Its rows may be on another payout by now, or be owed again: nothing of this payout changes by itself any more. */
const endedForGood = ({ status, failureKind, supersededBy }: Payout): boolean =>
  supersededBy !== null || (status === 'failed' && failureKind === 'permanent');

/** A payout that counted as failed or held for now goes on from where it was sent; null if it was never sent. */
function goesOn(change: PayoutChange, actor: 'rail' | 'operator', staysHeld = false): PayoutChange | null {
  const { status, submittedAt } = change.after;
  if (status === 'submitted') return change;
  if (submittedAt === null) return null;
  if (status === 'failed') return withStep(change, { on: 'retry', actor });
  // It was about to be sent once more.
  if (status === 'authorized') return withStep(change, { on: 'submit', actor });
  if (status !== 'held' || staysHeld) return null;
  return withStep(withStep(change, { on: 'release', actor }), { on: 'submit', actor });
}

/** Nobody is to send it any more. */
const withoutOpenSends = (change: PayoutChange, said?: 'settled' | 'bounced'): PayoutChange =>
  withFacts(change, { toSend: false, openAttempts: [], legs: legsOver(change.after, said) });

/** The news of a payout that is submitted. */
function told(change: PayoutChange, report: Report & { fact: Money }, now: Date): PayoutChange {
  const { fact, by, asked } = report;
  const payout = change.after;
  switch (fact.kind) {
    case 'settled':
      return settled(withoutOpenSends(change, fact.kind), fact);
    case 'bounced':
      // The settlement was missed; a payout that came back was paid first.
      return bounced(withStep(withoutOpenSends(change, fact.kind), { on: 'settle', actor: 'rail' }), fact);
    case 'accepted':
    case 'awaiting_payee':
    case 'claimed': {
      const acceptedAttempt = by === 'submission' ? asked.attempt : payout.attempt;
      const known = isNews(payout, report)
        ? withFacts(change, {
            ...{ toSend: false, acceptedAttempt, codeSince: firstSend(payout, report) },
            providerRef: referenceOf(payout) ?? fact.providerRef,
          })
        : withReference(change, fact);
      const link = newLinkIn(fact, payout);
      if (link !== null && twice(payout, report).length === 0)
        return withStep(known, { on: 'await_payee', actor: 'rail', facts: { claimUrl: link } });
      if (fact.kind === 'claimed' && payout.claimedAt === null)
        return withStep(known, { on: 'claim', actor: 'payee', facts: { claimedAt: now, claimUrl: null } });
      return known;
    }
  }
}

/** Since when the code counts of which the rail took a send on: the oldest one that may have been meant. */
function firstSend({ codeSince, submittedAt }: Payout, { asked, by, since }: Report): Date | null {
  const open = asked.openAttempts.find(({ attempt }) => by === 'submission' && attempt === asked.attempt);
  const known = [codeSince, open ? new Date(open.takenAt) : (codeSince ?? submittedAt), since ?? null];
  return known.reduce((first, at) => (first && at && first <= at ? first : (at ?? first)));
}

/** Asked after the last send, the rail speaks of that one as well: what it refuses from then on is what it had taken on. */
function isNews(payout: Payout, { by, asked }: Report): boolean {
  const { toSend, attempt, acceptedAttempt } = payout;
  if (toSend || acceptedAttempt === null) return true;
  const isOfLast = by === 'lookup' && asked.attempt === attempt && acceptedAttempt < attempt;
  return isOfLast && legSent(payout) === null && isOpen(payout, attempt);
}

function refusal(known: PayoutChange, report: Report & { fact: Refused }, now: Date): PayoutChange {
  const change = answered(known, report);
  if (known.after.status !== 'submitted' || !isLastWord(known.after, report, now)) return change;
  // For how long the code counts goes on: a rail may have moved what it refused, and forget it.
  const legs = legsOver(known.after, 'refused');
  const nothing = { openAttempts: [], acceptedAttempt: null, legs, claimUrl: null, claimedAt: null };
  return refused(withFacts(change, nothing), report.fact);
}

/**
 * A submission's refusal is the last word if its attempt was still open, the rail accepted no other, and no other can be
 * under way. Of a later one that nobody answered it says nothing, however long ago that was: the rail is asked. A look-up's is, if nothing happened since the rail was asked, and it cannot speak of an earlier attempt.
 */
function isLastWord(payout: Payout, { by, asked }: Report, now: Date): boolean {
  if (payout.toSend) return false;
  if (by === 'submission') {
    if (!isStillOpen(payout, asked) || isTakenOn(payout, asked) || legToSend(payout)) return false;
    if (payout.openAttempts.some(({ attempt }) => attempt > asked.attempt)) return false;
    return underWay(without(payout, asked.attempt), now).length === 0;
  }
  if (!isAsAsked(payout, asked)) return false;
  return isOnlyAttempt(payout) || underWay(payout.openAttempts, now).length === 0;
}

function settled(change: PayoutChange, { providerRef, settledAt }: Settled): PayoutChange {
  const facts = { providerRef: referenceOf(change.after) ?? providerRef, settledAt, claimUrl: null };
  return withStep(change, { on: 'settle', actor: 'rail', facts });
}

/** A fee is what the bank kept of the money it sent back, so it is never more than that money. */
function bounced(change: PayoutChange, { feeCents }: Bounced): PayoutChange {
  const facts = { liftingFeeCents: Math.min(feeCents, change.after.amountCents) };
  return withStep(change, { on: 'bounce', actor: 'rail', facts, statusReason: statusReason('bank_returned') });
}

/** It was sent from here, or an operator found its money at its payee. */
const wasHere = (payout: Payout): boolean => payout.submittedAt !== null || isPaidAfterAll(payout);

/**
 * A second reference under one code is a second payment, whether it is under way or has moved. So is any reference, if the rail was
 * asked after the money had come back: also the first one that is heard of, which may be that of the second time. If that was called paid, an
 * operator knows of it, and not that it is still there.
 */
function twice(payout: Payout, report: Report & { fact: Money }): NewDrift[] {
  const { fact } = report;
  const known = referenceOf(payout);
  if (!('providerRef' in fact)) return [];
  const isFirst = known === null || fact.providerRef === known;
  if (isFirst && !isAskedOnceReturned(payout, report)) return [];
  const drift = driftOf(payout, fact);
  if (payout.calledPaidAgain && isNotOver(payout, report)) return [drift];
  return [{ ...drift, kind: 'amount_differs', railCents: payout.amountCents * 2 }];
}
