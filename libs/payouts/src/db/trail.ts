/** The lines of a payout's trail that are read: how it began, and what happened last. */
import type { Custody, FailureKind, PayoutStatus, PayoutTrigger } from '#libs/domain';
import type { Actor } from '#libs/payout-rules';

export const FIRST_LINES = 20;
export const NEWEST_LINES = 180;

export interface TrailRow {
  id: string;
  /** From 1 on, without gaps. */
  sequence: number;
  type: PayoutTrigger;
  fromStatus: PayoutStatus | null;
  toStatus: PayoutStatus;
  statusReason: string | null;
  failureKind: FailureKind | null;
  actor: Actor;
  custody: Custody | null;
  claimed: boolean;
  createdAt: Date;
}

export interface TrailLine extends TrailRow {
  /** null in the first line. */
  previous: TrailRow | null;
}

export interface Trail {
  /** Oldest first. */
  lines: TrailLine[];
  /** How many there are between the first and the newest ones. */
  leftOut: number;
}

/** Of several payouts, each as if it were the only one. */
export const TRAILS = `
  SELECT line.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
    (SELECT * FROM payout_trail WHERE payout_id = asked.id ORDER BY sequence LIMIT $2)
    UNION
    (SELECT * FROM payout_trail WHERE payout_id = asked.id ORDER BY sequence DESC LIMIT $3)
  ) AS line
  ORDER BY line.payout_id, line.sequence`;

export function trailsOf(rows: (TrailRow & { payoutId: string })[]): Map<string, Trail> {
  const lines = new Map<string, TrailRow[]>();
  for (const row of rows) {
    const known = lines.get(row.payoutId);
    if (known) known.push(row);
    else lines.set(row.payoutId, [row]);
  }
  return new Map([...lines].map(([id, ofPayout]) => [id, trailOf(ofPayout)]));
}

/** Of the newest one more is read than told: what stood before it is known only so. */
function trailOf(rows: TrailRow[]): Trail {
  const lines = rows.map((row, index) => ({ ...row, previous: rows[index - 1] ?? null }));
  const told = lines.filter(({ sequence, previous }) => sequence === (previous?.sequence ?? 0) + 1);
  return { lines: told, leftOut: (rows.at(-1)?.sequence ?? 0) - told.length };
}
