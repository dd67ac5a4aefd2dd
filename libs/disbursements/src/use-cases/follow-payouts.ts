/**
 * Owed rows follow the payout they are attached to, in the transaction that changes it: when it fails they are owed again,
 * when it is tried again they are back on it, and what a bank sends back is owed anew.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId, rowStatusOf } from '#libs/domain';
import { BalanceBook, type BalanceMove } from '#libs/balances';
import { type Payout, PayoutBooks, type PayoutChange } from '#libs/payouts';
import { DisbursementStore, type Move, type NewRow } from '../db/disbursement.store';
import { restoredRef } from '../disbursement';

@Injectable()
export class FollowPayouts implements OnModuleInit {
  constructor(
    private readonly books: PayoutBooks,
    private readonly store: DisbursementStore,
    private readonly balances: BalanceBook,
  ) {}

  onModuleInit(): void {
    this.books.follow((changes) => this.follow(changes));
  }

  private async follow(changes: PayoutChange[]): Promise<void> {
    const mine = changes.filter(({ after }) => after.consolidates && after.supersededBy === null);
    if (mine.length === 0) return;
    const moves = mine.map(moveOfRows).filter(({ from, to }) => from !== to);
    if (moves.length > 0) await this.store.follow(moves);
    await this.restore(mine.filter(comesBack).map(({ after }) => after));
    await this.balances.move(mine.flatMap(balanceMoves));
  }

  private async restore(returned: Payout[]): Promise<void> {
    const rows = returned.filter((payout) => restoredCents(payout) > 0).map(restoredRow);
    const written = await this.store.insert(rows);
    if (written.size !== rows.length) throw new Error('A returned payout was restored before.');
  }
}

/** The rows of a new payout were taken for it already. */
function moveOfRows({ before, after }: PayoutChange): Move {
  return {
    transactionId: after.id,
    from: before ? rowStatusOf(before.status) : 'released',
    to: rowStatusOf(after.status),
  };
}

const comesBack = ({ before, after }: PayoutChange): boolean =>
  after.status === 'returned' && before?.status !== 'returned';

const restoredCents = ({ amountCents, liftingFeeCents }: Payout): number => amountCents - liftingFeeCents;

function restoredRow(payout: Payout): NewRow {
  const { clientId, payeeId, currency } = payout;
  return {
    ...{ id: newId(), clientId, payeeId, currency, reason: null },
    externalRef: restoredRef(payout.id),
    amountCents: restoredCents(payout),
    cameBackFrom: payout.id,
  };
}

/** What of the payout's money is owed, and on no payout: this change of it, beside the payout's own. */
function balanceMoves(change: PayoutChange): BalanceMove[] {
  const { before, after } = change;
  const { payeeId, currency } = after;
  const wasOwed = before === null || rowStatusOf(before.status) === 'owed';
  const isOwed = rowStatusOf(after.status) === 'owed';
  const moves: BalanceMove[] = [];
  if (wasOwed && !isOwed) moves.push({ payeeId, currency, cents: after.amountCents, from: 'withdrawableCents' });
  if (isOwed && !wasOwed) moves.push({ payeeId, currency, cents: after.amountCents, to: 'withdrawableCents' });
  if (comesBack(change)) moves.push({ payeeId, currency, cents: restoredCents(after), to: 'withdrawableCents' });
  return moves;
}
