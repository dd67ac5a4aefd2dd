/** The only writer of the table of differences: what is found is written once, and stays until somebody decided about it. */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { Db } from '#libs/db';
import { CALLED_PAID, CALLED_PAID_AGAIN, type Drift, type NewDrift, type Word } from '../drift';
import { HAS_REFERENCE } from './compared';
import { GONE, RESOLVE, SAID, WERE_MISSING } from './gone';
import { HEARD, HEARD_AT, LAST_WORD, LISTED_SO_FAR, ONE_IS_OUT, UNWRITTEN } from './last-word';
import { portionsByCode } from './portions-by-code';

/** Its money counts as not moved; what is under way may still come to either. */
export const IS_UNPAID = `payouts.status NOT IN ('submitted', 'paid', 'returned')`;

interface AskedAbout {
  id: string;
  provider: string | null;
  railKey: string;
}

interface Line {
  payoutId: string | null;
  rail: string | null;
  railKey: string;
}

interface Gone {
  id: string;
  payoutId: string | null;
  /** Nothing but a list that was asked for just now speaks against what its rail told. */
  isFirst: boolean | null;
}

/** What a rail said last of the money of open lines, by their ids: when it said that it is out. null: it said that it is not. */
export type Said = Map<string, string | null>;

export interface Resolved {
  resolved: number;
  inDoubt: string[];
}

/** `isListed`: its list alone says so, and no line was written by that. */
type Heard = Line & Word & { isListed?: boolean };

@Injectable()
export class DriftBook {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<Drift | null> {
    return this.db.row<Drift>('SELECT * FROM drift WHERE id = $1', [id]);
  }

  lock(id: string): Promise<Drift | null> {
    return this.db.row<Drift>('SELECT * FROM drift WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  /** All that an operator reads of what is open about a payout and its code, but for the word: one text for each difference. */
  async openAbout({ id, provider, railKey }: AskedAbout): Promise<string[]> {
    const lines = await this.db.rows<{ line: string }>(
      `SELECT jsonb_build_array(id, provider_ref, rail_cents, rail_currency, has_moved, lifting_fee_cents)::text AS line
       FROM drift WHERE resolved_at IS NULL AND (payout_id = $1 OR (rail = $2 AND rail_key = $3))`,
      [id, provider, railKey],
    );
    return lines.map(({ line }) => line);
  }

  /** To be compared: what was said or listed of its money since is news to whoever decides without asking its rail. */
  async heardAt(payoutId: string): Promise<string | null> {
    return (await this.db.row<{ at: string | null }>(HEARD_AT, [payoutId]))?.at ?? null;
  }

  /** By an operator, about the payout as it is. */
  async resolveOne(id: string, by: string, note: string | null): Promise<Drift | null> {
    await this.db.execute(`UPDATE drift SET resolved_at = now(), resolved_by = $2, note = $3 WHERE id = $1`, [
      id,
      by,
      note,
    ]);
    return this.decidedAbout(id);
  }

  /** While its payout is not sent again, and its money counts as it does now, the same difference is not raised again. */
  async decidedAbout(id: string): Promise<Drift | null> {
    await this.db.execute(
      `UPDATE drift SET resolved_attempt = payouts.attempt, resolved_unpaid = ${IS_UNPAID}
       FROM payouts WHERE drift.id = $1 AND payouts.id = drift.payout_id`,
      [id],
    );
    return this.find(id);
  }

  /** Writes down what is new, and no operator resolved before; returns how many that were. */
  async record(found: NewDrift[]): Promise<number> {
    if (found.length === 0) return 0;
    return this.db.inTransaction(async () => {
      // Wait for anybody who is resolving one of them now: the next statement sees what they decided.
      await this.db.execute(LOCK_OPEN, [found.map(({ rail }) => rail), found.map(({ railKey }) => railKey)]);
      let written = 0;
      for (const some of portionsByCode(found)) {
        const lines = await this.db.rows<Line>(RECORD, [
          JSON.stringify(some.map((drift) => ({ ...asRow(drift), id: newId() }))),
        ]);
        await this.note(listedOf(some, lines));
        written += lines.length;
      }
      return written;
    });
  }

  /**
   * Its rail spoke of that payout, and said so: what was decided by another word counts no more, unless it is younger. Returns whether that may be so:
   * both questions may have been under way together, and then nobody knows which answer is younger.
   */
  async heard({ id, provider, railKey }: AskedAbout, word: Word | null): Promise<boolean> {
    return word !== null && (await this.note([{ payoutId: id, rail: provider, railKey, ...word }])) > 0;
  }

  private async note(words: Heard[]): Promise<number> {
    if (words.length === 0) return 0;
    const inDoubt = await this.db.rows(HEARD, [
      words.map(({ payoutId }) => payoutId),
      words.map(({ rail }) => rail),
      words.map(({ railKey }) => railKey),
      words.map(({ said }) => said),
      words.map(({ at }) => at),
      words.map(({ isListed = false }) => isListed),
    ]);
    return inDoubt.length;
  }

  async said(rail: string): Promise<Said> {
    const lines = await this.db.rows<{ id: string; at: string | null }>(SAID, [rail]);
    return new Map(lines.map(({ id, at }) => [id, at]));
  }

  /**
   * Resolves differences that are gone. Those that somebody holds are left to the next comparison. So are those of which its rail said anything since the
   * list was asked for, or told that the money is out and no list said before that it came back: either may be younger. `inDoubt` are their payouts.
   * `before`: what `said` returned before that. Of the list, which may be very long, only what was missing before is looked for.
   */
  async resolve(rail: string, movedKeys: Set<string>, askedAt: Date, before: Said): Promise<Resolved> {
    const missing = await this.db.rows<{ railKey: string }>(WERE_MISSING, [rail]);
    const moved = missing.map(({ railKey }) => railKey).filter((railKey) => movedKeys.has(railKey));
    const gone = await this.db.rows<Gone>(GONE, [rail, moved, askedAt]);
    const now = gone.length === 0 ? before : await this.said(rail);
    const isInDoubt = ({ id, isFirst }: Gone): boolean =>
      isFirst === true || (before.has(id) && now.get(id) !== before.get(id));
    const ids = gone.filter((line) => !isInDoubt(line)).map(({ id }) => id);
    return {
      resolved: ids.length === 0 ? 0 : await this.db.execute(RESOLVE, [rail, moved, ids]),
      inDoubt: gone.filter(isInDoubt).flatMap(({ payoutId }) => payoutId ?? []),
    };
  }
}

function asRow(drift: NewDrift): Record<string, unknown> {
  return {
    rail: drift.rail,
    rail_key: drift.railKey,
    kind: drift.kind,
    payout_id: drift.payoutId,
    provider_ref: drift.providerRef,
    rail_cents: drift.railCents,
    rail_currency: drift.railCurrency,
    our_cents: drift.ourCents,
    our_currency: drift.ourCurrency,
    our_status: drift.ourStatus,
    has_moved: drift.hasMoved,
    lifting_fee_cents: drift.liftingFeeCents,
    said: drift.said ?? null,
    said_at: drift.saidAt ?? null,
  };
}

/** What a list has as out is a word of its rail, as old as the youngest movement. */
function listedOf(found: NewDrift[], lines: Line[]): Heard[] {
  const written = new Set(lines.map(nameOf));
  const byName = new Map<string, Heard>();
  for (const one of found) {
    const { payoutId, rail, railKey, said, saidAt: at } = one;
    if (payoutId === null || said || !at) continue;
    const known = byName.get(nameOf(one))?.at;
    const isListed = !written.has(nameOf(one));
    if (!known || known < at) byName.set(nameOf(one), { payoutId, rail, railKey, said: 'out', at, isListed });
  }
  return [...byName.values()];
}

const nameOf = ({ payoutId, rail, railKey }: Line): string => JSON.stringify([payoutId, rail, railKey]);

const LOCK_OPEN = `
  SELECT FROM drift JOIN unnest($1::text[], $2::text[]) AS found (rail, rail_key) USING (rail, rail_key)
  WHERE resolved_at IS NULL ORDER BY drift.id FOR NO KEY UPDATE OF drift`;

/**
 * By a list alone: money that it listed since they decided, of which they did not know. What was told as out may be listed a little later, under
 * its own reference, which is none that was refused; if there is none, it is more than was told. By a clock that was set back since they decided nobody
 * knows what came first.
 */
const LISTED_SINCE = `(told.said IS NULL AND EXISTS (
  SELECT FROM rail_movements AS moved WHERE moved.rail = known.rail AND moved.rail_key = known.rail_key
    AND moved.direction = 'out' AND (moved.listed_at > known.resolved_at OR known.resolved_at > clock_timestamp()) AND (${LAST_WORD} IS DISTINCT FROM 'out'
      OR coalesce(moved.provider_ref NOT IN (known.provider_ref, CASE WHEN ${HAS_REFERENCE} THEN payouts.provider_ref ELSE '' END),
        known.rail_cents < ${LISTED_SO_FAR}))))`;

/** An operator called it paid, and it is said to be out. */
const IS_AS_DECIDED = `(${CALLED_PAID} AND known.lifting_fee_cents IS NULL AND coalesce(told.said, 'out') = 'out')`;

/**
 * By an operator, about the payout as it still is, and by what its rail says still. What was said of money that moved counts no more once it was
 * found to have come back, and what was said of money that came back no more once it was found at its payee again.
 */
const DECIDED = `known.resolved_by IS NOT NULL
  AND known.resolved_attempt IS NOT DISTINCT FROM payouts.attempt AND known.resolved_unpaid IS NOT DISTINCT FROM (${IS_UNPAID})
  AND (NOT (known.overtaken OR ${UNWRITTEN} OR coalesce(${LAST_WORD} <> told.said, ${LISTED_SINCE})) OR coalesce(${IS_AS_DECIDED}, false))
  AND NOT EXISTS (
    SELECT FROM payout_trail AS later WHERE later.payout_id = known.payout_id AND later.created_at > known.resolved_at
      AND later.type = CASE WHEN known.lifting_fee_cents IS NULL THEN 'found_returned' ELSE 'found_landed' END)`;

/** A payout that came back says so whenever it is asked about. That it came back once more is news if it was out since, or its rows are paid. */
const CAME_BACK_ONCE_MORE = `(EXISTS (SELECT FROM payouts WHERE payouts.id = told.payout_id AND ${CALLED_PAID_AGAIN})
  OR EXISTS (SELECT FROM drift AS known WHERE known.payout_id = told.payout_id AND NOT ${ONE_IS_OUT}
    AND coalesce(known.said = 'out', known.lifting_fee_cents IS NULL AND known.rail_cents > known.our_cents)))`;

/** What came back of a returned payout, and is out again, is no longer what came back. An older word changes nothing of that. */
const FEE_BY_NOW = `CASE WHEN excluded.said_at < drift.said_at THEN drift.lifting_fee_cents
  WHEN excluded.said = 'out' AND excluded.our_status = 'returned' THEN NULL
  ELSE coalesce(excluded.lifting_fee_cents, drift.lifting_fee_cents) END`;

/** Its rail had taken back what it said, and says it anew: that the money moved then is no word about now. */
const IS_OUT_ANEW = `coalesce(excluded.said = 'out' AND drift.said IN ('no', 'back') AND excluded.said_at >= drift.said_at, false)`;

/** Since it came back: by that the line is known for one of money that was out again. */
const IS_OUT_ONCE_MORE = `coalesce(excluded.said = 'out' AND excluded.our_status = 'returned' AND drift.our_status <> 'returned', false)`;

const IS_LISTED = `EXISTS (SELECT FROM rail_movements AS moved
  WHERE moved.rail = known.rail AND moved.rail_key = known.rail_key AND moved.provider_ref = known.provider_ref)`;

/**
 * For a payout that ended for good, the rail may report one reference and later another one: that is twice the money, but for a list that
 * has both, and knows the sum. An operator's decision stays, unless there is more money, or another reference, or its rail said otherwise
 * since; what a list alone has as out may have been decided about beside what came back. An open difference never becomes smaller. If it becomes larger, as one without money does that a rail called refused, its reference is that of the money spoken of later.
 */
const RECORD = `
  WITH found AS (
    SELECT DISTINCT ON (rail, rail_key, kind) told.id, told.rail, told.rail_key, told.payout_id, told.provider_ref,
      told.rail_currency, told.our_cents, told.our_currency, told.our_status, told.has_moved, told.lifting_fee_cents, told.said,
      CASE WHEN told.said IS NOT NULL THEN coalesce(told.said_at, now()) END AS said_at,
      CASE WHEN second.yes THEN 'amount_differs' ELSE told.kind END AS kind,
      CASE WHEN second.yes THEN told.rail_cents * 2 ELSE told.rail_cents END AS rail_cents
    FROM json_populate_recordset(NULL::drift, $1::json) AS told
    CROSS JOIN LATERAL (SELECT told.kind = 'not_paid_here' AND EXISTS (
      SELECT FROM drift AS known JOIN payouts ON payouts.id = known.payout_id
      WHERE known.rail = told.rail AND known.rail_key = told.rail_key AND known.payout_id = told.payout_id
        AND known.kind = 'not_paid_here' AND known.provider_ref <> told.provider_ref
        AND (known.resolved_at IS NULL OR ${DECIDED}) AND NOT (told.said IS NULL AND ${IS_LISTED})) AS yes) AS second
    ORDER BY rail, rail_key, kind, rail_cents DESC
  )
  INSERT INTO drift (id, rail, rail_key, kind, payout_id, provider_ref, rail_cents, rail_currency, our_cents, our_currency,
    our_status, has_moved, lifting_fee_cents, said, said_at)
  SELECT id, rail, rail_key, kind, payout_id, provider_ref, rail_cents, rail_currency, our_cents, our_currency, our_status,
    has_moved, lifting_fee_cents, said, said_at
  FROM found AS told
  WHERE (told.our_status <> 'returned' OR told.lifting_fee_cents IS NULL OR ${CAME_BACK_ONCE_MORE}) AND NOT EXISTS (
    SELECT FROM drift AS known LEFT JOIN payouts ON payouts.id = known.payout_id
    WHERE ${DECIDED} AND known.rail = told.rail AND known.rail_key = told.rail_key AND known.kind = told.kind
      AND (known.has_moved OR NOT told.has_moved)
      AND CASE WHEN told.lifting_fee_cents IS NOT NULL THEN known.lifting_fee_cents = told.lifting_fee_cents
        ELSE (known.lifting_fee_cents IS NULL OR told.our_status <> 'returned' OR told.said IS NULL)
          AND known.rail_cents IS NOT DISTINCT FROM told.rail_cents
          AND coalesce(known.provider_ref = told.provider_ref, true) END)
  ON CONFLICT (rail, rail_key, kind) WHERE resolved_at IS NULL DO UPDATE SET
    rail_cents = greatest(drift.rail_cents, excluded.rail_cents),
    rail_currency = coalesce(drift.rail_currency, excluded.rail_currency),
    provider_ref = CASE WHEN excluded.rail_cents > coalesce(drift.rail_cents, -1) THEN coalesce(excluded.provider_ref, drift.provider_ref)
      ELSE drift.provider_ref END,
    has_moved = excluded.has_moved OR (drift.has_moved AND NOT ${IS_OUT_ANEW}),
    our_status = CASE WHEN ${IS_OUT_ONCE_MORE} THEN excluded.our_status ELSE drift.our_status END,
    lifting_fee_cents = ${FEE_BY_NOW}
  WHERE excluded.rail_cents > coalesce(drift.rail_cents, -1) OR excluded.has_moved > drift.has_moved OR ${IS_OUT_ANEW} OR ${IS_OUT_ONCE_MORE}
    OR drift.lifting_fee_cents IS DISTINCT FROM ${FEE_BY_NOW}
  RETURNING payout_id, rail, rail_key`;
