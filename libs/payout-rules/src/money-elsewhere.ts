/** Money that a rail speaks of, and that is not what is known here: as a difference, for somebody to look into. */
import type { NewDrift, RailWord, Word } from '#libs/drift';
import type { Accepted, AwaitingPayee, Bounced, Claimed, Echo, LookupFact, Settled, Unknown } from '#libs/rail-kit';
import { isAsAsked } from './attempts';
import { isPaidAfterAll } from './given-up';
import type { Payout } from './payout';
import { isUnderWay, mayTakeLegs } from './legs';
import { type Report, saidAt } from './rail-report';

export type Money = Accepted | AwaitingPayee | Claimed | Settled | Bounced;

const MONEY: Report['fact']['kind'][] = ['settled', 'bounced', 'accepted', 'awaiting_payee', 'claimed'];

/** What its rail says of the money of a payout that nothing was under way for, or that is over by that; null: nothing that counts for what was decided about it. */
export function wordOf(payout: Payout, report: Report): Word | null {
  const goesOn = isUnderWay(payout) && report.fact.kind !== 'bounced';
  const said = goesOn ? null : saidBy(payout, report);
  return said && { said, at: saidAt(report) };
}

function saidBy(payout: Payout, { fact, asked, by, since, isNo }: Report): RailWord | null {
  if (fact.kind === 'not_sent') return null;
  if (fact.kind === 'bounced') return 'back';
  if (hasMoney(fact)) return 'out';
  const isOfNow = by === 'lookup' && since === undefined && isAsAsked(payout, asked);
  return isOfNow && (fact.kind === 'refused' || (fact.kind === 'never_seen' && isNo)) ? 'no' : null;
}

export const isMoney = (fact: Report['fact']): fact is Money => MONEY.includes(fact.kind);

/** Its rail has money under this code, of this amount or of another. */
export const hasMoney = (fact: LookupFact): boolean =>
  isMoney(fact) || (fact.kind === 'unknown' && fact.spokeOf !== undefined);

/** The differences that follow if a rail shows money for a payout that this database never sent. */
export function movedUnsent(payout: Payout, fact: LookupFact): NewDrift[] {
  if (payout.submittedAt !== null) return [];
  if (isMoney(fact)) return [driftOf(payout, fact)];
  return fact.kind === 'unknown' ? spokenOf(payout, fact) : [];
}

/** What its rail says is none of the answers, and yet speaks of money. If the rail only contradicts itself, that is news of what ended without money. */
export function spokenOf(payout: Payout, { spokeOf, contradicts }: Unknown): NewDrift[] {
  const isKnownToBeOut = isUnderWay(payout) || payout.status === 'paid';
  return !spokeOf || (contradicts && isKnownToBeOut) ? [] : [otherMoney(payout, spokeOf)];
}

/** Its rail speaks of money for it that is not known here, mostly of another amount. */
export const otherMoney = (payout: Payout, { amountCents, currency, moved }: Echo & { moved: boolean }): NewDrift => ({
  ...driftOf(payout, { kind: 'claimed', providerRef: payout.providerRef ?? '' }),
  kind: amountCents === payout.amountCents && currency === payout.currency ? 'not_paid_here' : 'amount_differs',
  ...{ providerRef: payout.providerRef, railCents: amountCents, railCurrency: currency, hasMoved: moved },
});

/** It counts as paid here, and its rail says that it moved nothing for it. */
const nothingThere = (payout: Payout): NewDrift => ({
  ...otherMoney(payout, { amountCents: 0, currency: payout.currency, moved: false }),
  ...{ railCents: null, railCurrency: null, said: 'no' },
});

/** It is over, and an operator found its money at its payee since. */
const isCalledPaid = (payout: Payout): boolean => isPaidAfterAll(payout) || payout.calledPaidAgain;

/**
 * It counts as paid, by word of an operator or of its rail, which calls it refused now: it was cancelled there, or taken back. That is for somebody to
 * find out: it may settle after all.
 */
export function takenBack(payout: Payout, { asked, by, since }: Report): NewDrift[] {
  const countsAsPaid = (payout.status === 'paid' && !mayTakeLegs(payout)) || isCalledPaid(payout);
  const isOfNow = by === 'lookup' && since === undefined && isAsAsked(payout, asked);
  if (payout.submittedAt === null || !countsAsPaid || !isOfNow) return [];
  return [nothingThere(payout)];
}

/**
 * An operator called it paid, and its rail says that a call is still to be made, or that it waits for its payee: its bank sent it back to its payee's
 * account, or it never left that.
 */
export const isStillThere = (payout: Payout, fact: Money): boolean =>
  (payout.status === 'paid' || isCalledPaid(payout)) &&
  (fact.kind === 'awaiting_payee' || (fact.kind === 'accepted' && fact.next !== undefined));

/** It counts as paid, and is still there; or it came back, perhaps once more: that is known by what is on record about it. */
export const isNotOver = (payout: Payout, report: Report & { fact: Money }): boolean =>
  isStillThere(payout, report.fact) || (report.fact.kind === 'bounced' && isAskedOnceReturned(payout, report));

/** It was read as returned before its rail was asked, or came back before the question was put, which may wait for long. */
export const isAskedOnceReturned = (
  { status, updatedAt }: Payout,
  { asked, by, askedAt }: Pick<Report, 'asked' | 'by' | 'askedAt'>,
): boolean =>
  by === 'lookup' &&
  status === 'returned' &&
  (asked.status === 'returned' || (askedAt !== undefined && askedAt > updatedAt));

/**
 * Money that came back, or is still there, is a separate difference from money that went out: an operator may have decided about that one
 * already.
 */
export function driftOf(payout: Payout, fact: Money): NewDrift {
  const { id, provider, railKey, amountCents, currency, status } = payout;
  const cameBack = fact.kind === 'bounced';
  const stays = isStillThere(payout, fact);
  return {
    rail: provider ?? '',
    railKey,
    kind: cameBack || stays ? 'amount_differs' : 'not_paid_here',
    payoutId: id,
    providerRef: 'providerRef' in fact ? fact.providerRef : payout.providerRef,
    railCents: cameBack ? Math.min(fact.feeCents, amountCents) : stays ? 0 : amountCents,
    railCurrency: currency,
    ourCents: amountCents,
    ourCurrency: currency,
    ourStatus: status,
    hasMoved: cameBack || stays || fact.kind === 'settled',
    liftingFeeCents: cameBack ? Math.min(fact.feeCents, amountCents) : null,
    said: cameBack ? 'back' : 'out',
  };
}
