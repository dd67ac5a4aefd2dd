/**
 * The totals of every payee's money. They move in the transaction that moves the money, so that a balance costs the same to
 * read after any number of payouts, and is always what its rows come to.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { type Balance, type BalanceKey, type BalanceMove, summed } from '../balance';

@Injectable()
export class BalanceBook {
  constructor(private readonly db: Db) {}

  /** Balances are locked after wallets and rows, and in one order, so that nobody waits for another in a circle. */
  async move(moves: BalanceMove[]): Promise<void> {
    const sums = summed(moves).sort(inOrder);
    if (sums.length > 0) await this.db.write(MOVE, [JSON.stringify(sums)]);
  }

  async of(payeeId: string, currency: string): Promise<Balance | null> {
    return this.db.row<Balance>('SELECT * FROM balances WHERE payee_id = $1 AND currency = $2', [payeeId, currency]);
  }

  /** In every currency, the one that moved last first. */
  allOf(payeeId: string): Promise<Balance[]> {
    return this.db.rows<Balance>('SELECT * FROM balances WHERE payee_id = $1 ORDER BY moved_at DESC, currency', [
      payeeId,
    ]);
  }

  /** The one that moved last. */
  async newestOf(payeeId: string): Promise<Balance | null> {
    return this.db.row<Balance>('SELECT * FROM balances WHERE payee_id = $1 ORDER BY moved_at DESC, currency LIMIT 1', [
      payeeId,
    ]);
  }
}

function inOrder(a: BalanceKey, b: BalanceKey): number {
  const [left, right] = [`${a.payeeId} ${a.currency}`, `${b.payeeId} ${b.currency}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * The newest day of payees. A transaction may begin before midnight and come after one of the next day, or the database's clock may have
 * been set back: its payouts are then of that newest day, because nothing is kept of earlier days.
 */
export const newestDayOf = (isPayee: string): string => `SELECT max(day) FROM balances WHERE ${isPayee}`;

/** How much of a day counts against payees' caps, by currency: payouts authorized that day that are not held or failed since. */
export const usedOfDay = ({ isPayee, day }: { isPayee: string; day: string }): string =>
  `SELECT payee_id, currency, day_cents AS cents FROM balances WHERE ${isPayee} AND day >= ${day}`;

/** Updated first and inserted only if it is new: an insert that gives way to an update is checked before it does. */
const MOVE = `
  WITH moves AS (
    SELECT * FROM json_to_recordset($1::json) AS t ("payeeId" uuid, currency text, "withdrawableCents" bigint,
      "onTheWayCents" bigint, "actionNeededCents" bigint, "heldBelowMinimumCents" bigint, "landedCents" bigint, day date, "dayCents" bigint)
    LIMIT json_array_length($1::json) -- all of them: without it they are taken for so many that all balances are read
  ), present AS (
    SELECT balances.payee_id, balances.currency FROM balances
    JOIN moves ON balances.payee_id = moves."payeeId" AND balances.currency = moves.currency
    ORDER BY balances.payee_id, balances.currency FOR NO KEY UPDATE OF balances
  ), moved AS (
    UPDATE balances SET
      withdrawable_cents = withdrawable_cents + "withdrawableCents",
      on_the_way_cents = on_the_way_cents + "onTheWayCents",
      action_needed_cents = action_needed_cents + "actionNeededCents",
      held_below_minimum_cents = held_below_minimum_cents + "heldBelowMinimumCents",
      landed_cents = landed_cents + "landedCents",
      day = greatest(balances.day, moves.day),
      day_cents = CASE WHEN moves.day > balances.day OR balances.day IS NULL THEN greatest("dayCents", 0)
        WHEN moves.day = balances.day THEN day_cents + "dayCents"
        ELSE day_cents END,
      moved_at = now()
    FROM present JOIN moves ON present.payee_id = moves."payeeId" AND present.currency = moves.currency
    WHERE balances.payee_id = present.payee_id AND balances.currency = present.currency
    RETURNING balances.payee_id, balances.currency
  )
  INSERT INTO balances (payee_id, currency, withdrawable_cents, on_the_way_cents, action_needed_cents,
    held_below_minimum_cents, landed_cents, day, day_cents, moved_at)
  SELECT "payeeId", currency, "withdrawableCents", "onTheWayCents", "actionNeededCents", "heldBelowMinimumCents",
    "landedCents", day, greatest("dayCents", 0), now()
  FROM moves WHERE NOT EXISTS (SELECT FROM moved WHERE moved.payee_id = "payeeId" AND moved.currency = moves.currency)
  ORDER BY "payeeId", currency
  ON CONFLICT (payee_id, currency) DO UPDATE SET
    withdrawable_cents = balances.withdrawable_cents + excluded.withdrawable_cents,
    on_the_way_cents = balances.on_the_way_cents + excluded.on_the_way_cents,
    action_needed_cents = balances.action_needed_cents + excluded.action_needed_cents,
    held_below_minimum_cents = balances.held_below_minimum_cents + excluded.held_below_minimum_cents,
    landed_cents = balances.landed_cents + excluded.landed_cents,
    day = greatest(balances.day, excluded.day),
    day_cents = CASE WHEN excluded.day > balances.day OR balances.day IS NULL THEN excluded.day_cents
      WHEN excluded.day = balances.day THEN balances.day_cents + excluded.day_cents
      ELSE balances.day_cents END,
    moved_at = excluded.moved_at`;
