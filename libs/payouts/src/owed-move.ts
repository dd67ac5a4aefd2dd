/**
 * What a payout's change means for the owed rows on it: when it fails they are owed again, when it is tried again they are
 * back on it, and what a bank sends back is owed anew.
 */
import { newId, rowStatusOf } from '#libs/domain';
import type { BalanceMove } from '#libs/balances';
import { type NewRow, restoredRef, type RowMove } from '#libs/owed';
import type { Payout, PayoutChange } from './payout';

/** A payout whose rows went on to another one moves them no more. */
const hasRows = ({ after }: PayoutChange): boolean => after.consolidates && after.supersededBy === null;

/** The rows of a new payout were taken for it already. */
export function rowMoves(changes: PayoutChange[]): RowMove[] {
  return changes.filter(hasRows).flatMap(({ before, after }) => {
    const [from, to] = [before ? rowStatusOf(before.status) : 'released', rowStatusOf(after.status)];
    return from === to ? [] : [{ transactionId: after.id, from, to }];
  });
}

export function restoredRows(changes: PayoutChange[]): NewRow[] {
  return changes
    .filter((change) => hasRows(change) && comesBack(change) && restoredCents(change.after) > 0)
    .map(({ after }) => {
      const { id, clientId, payeeId, currency } = after;
      return {
        ...{ id: newId(), clientId, payeeId, currency, reason: null },
        externalRef: restoredRef(id),
        amountCents: restoredCents(after),
        cameBackFrom: id,
      };
    });
}

/** What of the payout's money is owed, and on no payout: this change of it, beside the payout's own. */
export function owedMoves(changes: PayoutChange[]): BalanceMove[] {
  return changes.filter(hasRows).flatMap((change) => {
    const { before, after } = change;
    const { payeeId, currency } = after;
    const wasOwed = before === null || rowStatusOf(before.status) === 'owed';
    const isOwed = rowStatusOf(after.status) === 'owed';
    const moves: BalanceMove[] = [];
    if (wasOwed && !isOwed) moves.push({ payeeId, currency, cents: after.amountCents, from: 'withdrawableCents' });
    if (isOwed && !wasOwed) moves.push({ payeeId, currency, cents: after.amountCents, to: 'withdrawableCents' });
    if (comesBack(change)) moves.push({ payeeId, currency, cents: restoredCents(after), to: 'withdrawableCents' });
    return moves;
  });
}

const comesBack = ({ before, after }: PayoutChange): boolean =>
  after.status === 'returned' && before?.status !== 'returned';

const restoredCents = ({ amountCents, liftingFeeCents }: Payout): number => amountCents - liftingFeeCents;
