/**
 * Whether anything may be sent to a rail, for all processes: its provider asked to be left alone for a while, or does not
 * know our credentials, or knows them as somebody else's.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { AWAITED, type AwaitedRail } from './awaited';

export const LANE_REASONS = ['not_now', 'credentials', 'other_account'] as const;
export type LaneReason = (typeof LANE_REASONS)[number];

export interface ClosedLane {
  rail: string;
  reason: LaneReason;
  detail: string;
  closedAt: Date;
  /** null: until the rail was verified. */
  opensAt: Date | null;
}

/** Longer than any turn is worth waiting for. */
export const MOST_AHEAD_MS = 3_000;

@Injectable()
export class RailLanes {
  constructor(private readonly db: Db) {}

  /** A lane that is closed for longer, or until its rail is verified, stays so; but it does not open before this rest is over. */
  async pause(rail: string, seconds: number, detail: string): Promise<void> {
    await this.db.execute(
      `INSERT INTO rail_lanes AS lane (rail, reason, detail, closed_at, opens_at, rests_until)
       VALUES ($1, 'not_now', $3, now(), now() + $2::float8 * interval '1 second', now() + $2::float8 * interval '1 second')
       ON CONFLICT (rail) DO UPDATE SET
         reason = CASE WHEN lane.opens_at < excluded.opens_at THEN excluded.reason ELSE lane.reason END,
         detail = CASE WHEN lane.opens_at < excluded.opens_at THEN excluded.detail ELSE lane.detail END,
         closed_at = CASE WHEN lane.opens_at <= now() THEN excluded.closed_at ELSE lane.closed_at END,
         opens_at = CASE WHEN lane.opens_at < excluded.opens_at THEN excluded.opens_at ELSE lane.opens_at END,
         rests_until = greatest(lane.rests_until, excluded.rests_until)`,
      [rail, seconds, detail],
    );
  }

  /** For so many seconds, unless it is closed for longer; null: until it is verified. */
  async close(
    rail: string,
    reason: Exclude<LaneReason, 'not_now'>,
    detail: string,
    forSeconds: number | null,
  ): Promise<void> {
    await this.db.execute(
      `INSERT INTO rail_lanes (rail, reason, detail, closed_at, opens_at)
       VALUES ($1, $2, $3, now(), now() + $4::float8 * interval '1 second')
       ON CONFLICT (rail) DO UPDATE SET reason = excluded.reason, detail = excluded.detail,
         opens_at = CASE WHEN excluded.opens_at IS NOT NULL THEN greatest(excluded.opens_at, rail_lanes.rests_until) END,
         closed_at = CASE WHEN rail_lanes.reason = excluded.reason THEN rail_lanes.closed_at ELSE excluded.closed_at END
       WHERE excluded.opens_at IS NULL OR rail_lanes.opens_at IS NULL OR rail_lanes.opens_at <= excluded.opens_at`,
      [rail, reason, detail, forSeconds],
    );
  }

  /** A lane that was closed until then opens, unless its provider asked to be left alone for longer. */
  async verified(rail: string): Promise<void> {
    await this.db.execute(
      `DELETE FROM rail_lanes WHERE rail = $1 AND reason <> 'not_now' AND opens_at IS NULL AND (rests_until > now()) IS NOT TRUE`,
      [rail],
    );
    // A rest that was told between the two statements keeps it closed; one that ended between them does not.
    await this.db.execute(
      `UPDATE rail_lanes SET reason = 'not_now', detail = 'its provider asked to be left alone', opens_at = rests_until
       WHERE rail = $1 AND reason <> 'not_now' AND opens_at IS NULL AND rests_until IS NOT NULL`,
      [rail],
    );
  }

  /** If it is closed for one of these. A rest goes with it: it was that of the account before. */
  async open(rail: string, reasons: LaneReason[]): Promise<void> {
    await this.db.execute('DELETE FROM rail_lanes WHERE rail = $1 AND reason = ANY($2)', [rail, reasons]);
  }

  closed(): Promise<ClosedLane[]> {
    return this.db.rows<ClosedLane>(
      'SELECT * FROM rail_lanes WHERE opens_at IS NULL OR opens_at > now() ORDER BY rail',
    );
  }

  awaited(): Promise<AwaitedRail[]> {
    return this.db.rows(
      `SELECT rail, max(restored_at) AS restored_at FROM (${AWAITED}) AS lists GROUP BY rail ORDER BY rail`,
    );
  }

  /** Why it is closed, and in how many seconds it opens by itself (null: once its rail was verified); null: it is open. */
  closure(rail: string): Promise<(Pick<ClosedLane, 'reason' | 'detail'> & { seconds: number | null }) | null> {
    return this.db.row(
      `SELECT reason, detail, extract(epoch FROM opens_at - clock_timestamp())::float8 AS seconds FROM rail_lanes
       WHERE rail = $1 AND coalesce(opens_at > clock_timestamp(), true)`,
      [rail],
    );
  }

  /** In how many milliseconds it is the caller's turn, of all processes; null: not within `patienceMs`. */
  async turn(rail: string, perSecond: number, patienceMs = MOST_AHEAD_MS): Promise<number | null> {
    const row = await this.db.row<{ waitMs: number }>(TURN, [rail, 1 / perSecond, MOST_AHEAD_MS, patienceMs]);
    return row ? Math.max(0, row.waitMs) : null;
  }
}

/** Further ahead than a turn after the last that anybody waits for there is none: then the database's clock was set back. */
const IS_IMPOSSIBLE = `turn.next_at > clock_timestamp() + $3::float8 * interval '2 milliseconds' + $2::float8 * interval '1 second'`;

const TURN = `
  INSERT INTO rail_turns AS turn (rail, next_at) VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second')
  ON CONFLICT (rail) DO UPDATE
    SET next_at = CASE WHEN ${IS_IMPOSSIBLE} THEN clock_timestamp() ELSE greatest(turn.next_at, clock_timestamp()) END
      + $2::float8 * interval '1 second'
    WHERE turn.next_at < clock_timestamp() + $4::float8 * interval '1 millisecond' OR ${IS_IMPOSSIBLE}
  RETURNING extract(epoch FROM next_at - clock_timestamp())::float8 * 1000 - $2 * 1000 AS wait_ms`;
