/**
 * The rails' own lists of what they moved, compared with our payouts. Every movement that was ever listed is kept: a list covers some
 * minutes, and two payments under one code may be further apart.
 */
import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { Db } from '#libs/db';
import type { RailMovement } from '#libs/rail-kit';
import { IS_AWAITED } from '#libs/rail-registry';
import type { NewDrift } from '../drift';
import { COMPARE_THESE, COMPARE_TOO, ELSEWHERE, MAY_BE_OUT } from './compared';
import { portionsByCode } from './portions-by-code';

export interface Compared {
  differences: NewDrift[];
  /** Moved there, and not paid here yet or for now: the rail has news. */
  news: string[];
}

export interface Portion {
  paidSince: Date;
  movedSince: Date;
  until: Date;
  /** It reaches until now. */
  isLast: boolean;
  /** So long after it was paid the rail may not list it yet. */
  lateSeconds: number;
  /** How often payouts of a client went that was reset. */
  resets: number;
  /** When the database was marked as restored, to the microsecond. null: it was not, or somebody compared by hand since. */
  restoredAt: string | null;
}

/** What one statement takes of them: it has 30 seconds. */
const CODES_AT_A_TIME = 2_000;

/** A provider answers for so long in one call. */
export const PORTION_DAYS = 30;

interface ComparedRow extends NewDrift {
  news: boolean;
  differs: boolean;
}

export interface Listed {
  id: string;
  provider: string | null;
  railKey: string;
  submittedAt: Date | null;
}

@Injectable()
export class RailLists {
  constructor(private readonly db: Db) {}

  /**
   * The next portion to compare: from a while before the last comparison on, or from the first payout of this rail, and no longer than
   * a portion. Payouts that were paid in it may have moved since the oldest of their submissions.
   */
  async window(rail: string, lateSeconds: number): Promise<Portion> {
    await this.db.execute(BEGIN, [rail]);
    return (await this.db.row<Portion>(WINDOW, [rail, PORTION_DAYS, lateSeconds])) as Portion;
  }

  /** How many seconds ago the last comparison was, and whether a restored database waits for one: also with an account of before. */
  ages(): Promise<{ rail: string; seconds: number; isAwaited: boolean; isAccountAwaited: boolean }[]> {
    return this.db.rows(
      `SELECT rail, extract(epoch FROM now() - scanned_until)::float8 AS seconds, coalesce(${IS_AWAITED}, false) AS is_awaited,
         EXISTS (SELECT FROM scans_of_accounts AS one WHERE one.rail = rail_scans.rail AND ${IS_AWAITED}) AS is_account_awaited
       FROM rail_scans`,
    );
  }

  /** Whether a restored database waits for the list of an account that the rail was bound to before, which nobody reads. */
  async awaitsAccountOfBefore(rail: string): Promise<boolean> {
    return (
      (await this.db.row(`SELECT FROM scans_of_accounts WHERE rail = $1 AND ${IS_AWAITED} LIMIT 1`, [rail])) !== null
    );
  }

  /** Those that a restored database was not compared with since. */
  async restored(): Promise<string[]> {
    const rows = await this.db.rows<{ rail: string }>('SELECT rail FROM rail_scans WHERE scanned_until < restored_at');
    return rows.map(({ rail }) => rail);
  }

  /**
   * An operator compared with what nobody reads: accounts that it was bound to before, and unless it lists the one of now. Returns since when that
   * was waited for; null: it was not, or since another time than they saw, for the database went back once more meanwhile.
   */
  async comparedByHand(rail: string, seen: Date | null = null, lists = false): Promise<Date | null> {
    const row = await this.db.row<{ restoredAt: Date | null }>(COMPARED_BY_HAND, [rail, seen, lists]);
    return row?.restoredAt ?? null;
  }

  /** Whether it listed any movement, as far as this database knows. */
  async everListed(rail: string): Promise<boolean> {
    return (await this.db.row('SELECT FROM rail_movements WHERE rail = $1 LIMIT 1', [rail])) !== null;
  }

  /** Those of these codes that a payout has. */
  async known(railKeys: string[]): Promise<Set<string>> {
    if (railKeys.length === 0) return new Set();
    const rows = await this.db.rows<{ railKey: string }>(
      'SELECT rail_key FROM unnest($1::text[]) AS listed (rail_key) WHERE EXISTS (SELECT FROM payouts WHERE payouts.rail_key = listed.rail_key)',
      [railKeys],
    );
    return new Set(rows.map(({ railKey }) => railKey));
  }

  /**
   * Holds payouts and lines, as whoever changes them does, and in the same order: what is decided about one of them meanwhile goes by what is listed.
   * Returns those it holds. Those that somebody else holds are left out: one is to keep nothing else from being named. Of what is to be kept only payouts
   * that are neither under way nor paid are held, and open lines; of a difference its payout, whatever became of it, and all lines about it.
   */
  async hold<T extends { railKey: string }>(rail: string, some: T[], isToKeep: boolean): Promise<T[]> {
    if (some.length === 0) return some;
    const rows = await this.db.rows<{ railKey: string }>(HOLD_FREE, [
      rail,
      some.map(({ railKey }) => railKey),
      isToKeep,
    ]);
    const leftOut = new Set(rows.map(({ railKey }) => railKey));
    return some.filter(({ railKey }) => !leftOut.has(railKey));
  }

  /** Waits for whoever holds payouts or lines of one code, and holds them then, for the rest of the caller's transaction. */
  async holdCode(rail: string, railKey: string): Promise<void> {
    for (const hold of HOLD_CODE) await this.db.execute(hold, [rail, railKey]);
  }

  /**
   * However often a movement is listed it is there once, as it was listed last. What came back is as old as the question: what is said until all of the
   * list is read, and kept, may be younger.
   */
  async keep(rail: string, movements: RailMovement[], askedAt: Date): Promise<void> {
    for (const some of portionsByCode(movements))
      await this.db.execute(KEEP, [
        rail,
        some.map(({ railKey }) => railKey),
        some.map(nameOf),
        some.map(({ currency }) => currency),
        some.map(({ providerRef }) => providerRef || null),
        some.map(({ amountCents }) => amountCents),
        some.map(({ direction = 'out' }) => direction),
        askedAt,
      ]);
  }

  /** Everything that was ever listed as moved under these codes, and under those that may be late: all of these are gone through. */
  async compare(rail: string, railKeys: Set<string>, signal?: AbortSignal): Promise<Compared> {
    const more = await this.db.rows<{ railKey: string }>(COMPARE_TOO, [rail]);
    const codes = [...new Set([...railKeys, ...more.map(({ railKey }) => railKey)])];
    const all: Compared = { differences: [], news: [] };
    for (let from = 0; from < codes.length && !signal?.aborted; from += CODES_AT_A_TIME) {
      const { differences, news } = await this.compareThese(rail, codes.slice(from, from + CODES_AT_A_TIME));
      all.differences.push(...differences);
      all.news.push(...news);
    }
    return all;
  }

  /** Under these codes alone. */
  async compareThese(rail: string, railKeys: string[]): Promise<Compared> {
    return comparedOf(await this.db.rows<ComparedRow>(COMPARE_THESE, [rail, railKeys]));
  }

  /**
   * What differs of the movements that its rail lists under the code of a payout. If that was never sent as far as this database knows, any
   * rail: it may have been restored, and the payee paid over another one before.
   */
  async under({ id, provider, railKey, submittedAt }: Listed): Promise<NewDrift[]> {
    const own = provider === null ? [] : await this.db.rows<ComparedRow>(COMPARE_THESE, [provider, [railKey]]);
    const others = submittedAt === null ? await this.db.rows<NewDrift>(ELSEWHERE, [id]) : [];
    return [...own.filter(({ differs, payoutId }) => differs && payoutId === id), ...others];
  }

  async mayBeOut({ id, provider }: Listed): Promise<boolean> {
    return (await this.db.row(MAY_BE_OUT, [provider, id])) !== null;
  }

  /**
   * The list was compared with the payouts that were there then: null if some were deleted since with their client, or are being deleted,
   * which nobody waits for, or if the database was found to have forgotten some. While `work` runs, none can be deleted. One transaction.
   */
  unlessReset<T>(rail: string, { resets, restoredAt }: Portion, work: () => Promise<T>): Promise<T | null> {
    return this.db.inTransaction(async () => {
      await this.db.execute(AFTER_OTHER_COMPARISONS, [rail]);
      const now = await this.db.row<Pick<Portion, 'resets' | 'restoredAt'>>(UNLESS_UNDER_WAY, [rail]);
      return now?.resets === resets && now.restoredAt === restoredAt ? work() : null;
    });
  }

  async scanned(rail: string, until: Date): Promise<void> {
    await this.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until) VALUES ($1, $2)
       ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until`,
      [rail, until],
    );
  }
}

const comparedOf = (rows: ComparedRow[]): Compared => ({
  differences: rows.filter(({ differs }) => differs),
  news: rows.filter(({ news }) => news).map(({ payoutId }) => payoutId as string),
});

/** Movements from before our first payout are not ours. The time is written down, because finding it means looking through all payouts. */
const BEGIN = `
  INSERT INTO rail_scans (rail, scanned_until)
  SELECT $1, coalesce((SELECT min(submitted_at) FROM payouts WHERE provider = $1), now())
  WHERE NOT EXISTS (SELECT FROM rail_scans WHERE rail = $1)
  ON CONFLICT (rail) DO NOTHING`;

/** Two locks of one row: a reset keeps it `FOR KEY SHARE` all along, which is in the way of the second alone. */
const AFTER_OTHER_COMPARISONS = 'SELECT FROM rail_scans WHERE rail = $1 FOR NO KEY UPDATE';
const UNLESS_UNDER_WAY = 'SELECT resets, restored_at::text FROM rail_scans WHERE rail = $1 FOR UPDATE SKIP LOCKED';

/** Locks, and returns the codes of what it left to others. */
const HOLD_FREE = `
  WITH told AS MATERIALIZED (
    SELECT id, rail_key FROM payouts WHERE provider = $1 AND rail_key = ANY($2::text[])
      AND (NOT $3 OR status NOT IN ('submitted', 'paid'))
  ), free AS MATERIALIZED (
    SELECT id FROM payouts WHERE id IN (SELECT id FROM told) FOR NO KEY UPDATE SKIP LOCKED
  ), lines AS MATERIALIZED (
    SELECT id, rail_key FROM drift WHERE rail = $1 AND rail_key = ANY($2::text[]) AND (NOT $3 OR resolved_at IS NULL)
  ), free_lines AS MATERIALIZED (
    SELECT id FROM drift WHERE id IN (SELECT id FROM lines) FOR NO KEY UPDATE SKIP LOCKED
  )
  SELECT rail_key FROM told WHERE id NOT IN (SELECT id FROM free)
  UNION ALL SELECT rail_key FROM lines WHERE id NOT IN (SELECT id FROM free_lines)`;

const HOLD_CODE = [
  'SELECT FROM payouts WHERE provider = $1 AND rail_key = $2 ORDER BY id FOR NO KEY UPDATE',
  'SELECT FROM drift WHERE rail = $1 AND rail_key = $2 ORDER BY id FOR NO KEY UPDATE',
];

const COMPARED_BY_HAND = `
  WITH awaited AS (
    SELECT rail, restored_at FROM rail_scans WHERE rail = $1 AND NOT $3::boolean AND ${IS_AWAITED}
      AND ($2::timestamptz IS NULL OR date_trunc('milliseconds', restored_at) = $2) FOR NO KEY UPDATE
  ), of_before AS (
    SELECT rail, account, restored_at FROM scans_of_accounts WHERE rail = $1 AND ${IS_AWAITED}
      AND ($2::timestamptz IS NULL OR date_trunc('milliseconds', restored_at) <= $2) FOR NO KEY UPDATE
  ), ended AS (
    UPDATE rail_scans SET restored_at = NULL FROM awaited WHERE rail_scans.rail = awaited.rail RETURNING awaited.restored_at
  ), ended_before AS (
    UPDATE scans_of_accounts AS one SET restored_at = NULL FROM of_before
    WHERE (one.rail, one.account) = (of_before.rail, of_before.account) RETURNING of_before.restored_at
  )
  SELECT max(restored_at) AS restored_at FROM (TABLE ended UNION ALL TABLE ended_before) AS all_ended`;

const WINDOW = `
  WITH since AS (
    SELECT scanned_until - greatest(600, $3::int * 2) * interval '1 second' AS at,
      least(now(), scanned_until + $2::int * interval '1 day') AS until, resets, restored_at
    FROM rail_scans WHERE rail = $1
  )
  SELECT since.resets, since.restored_at::text, since.at AS paid_since, until, until >= now() AS is_last, $3::int AS late_seconds,
    least(since.at, (SELECT min(submitted_at) FROM payouts WHERE provider = $1 AND status IN ('paid', 'returned')
      AND updated_at >= since.at AND updated_at < since.until)) AS moved_since
  FROM since`;

/** The most that an index has room for, beside the code and the currency. */
const MOST_OF_A_NAME = 1_000;

/** A movement is known by its reference; if a rail gives none, by its time. */
function nameOf({ providerRef, movedAt, direction }: RailMovement): string {
  const reference = providerRef || movedAt.toISOString();
  const name = direction === 'back' ? `back ${reference}` : reference;
  return Buffer.byteLength(name) > MOST_OF_A_NAME ? digest(name).toString('hex') : name;
}

/** All of it at one moment, which comes after all that was decided until its payouts were held. */
const KEEP = `
  WITH kept AS MATERIALIZED (SELECT clock_timestamp() AS at)
  INSERT INTO rail_movements (rail, rail_key, movement, currency, provider_ref, amount_cents, direction, listed_at)
  SELECT $1, rail_key, movement, currency, max(provider_ref), sum(cents), direction,
    CASE direction WHEN 'back' THEN least(kept.at, $8::timestamptz) ELSE kept.at END
  FROM kept CROSS JOIN (
    SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
      AS one (rail_key, movement, currency, provider_ref, cents, direction)
  ) AS each
  GROUP BY kept.at, rail_key, movement, currency, direction ORDER BY rail_key, movement, currency
  ON CONFLICT (rail, rail_key, movement, currency) DO UPDATE SET amount_cents = excluded.amount_cents
    WHERE rail_movements.amount_cents <> excluded.amount_cents`;
