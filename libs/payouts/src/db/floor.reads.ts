/** Payouts that wait for a floor, by group: one payee's, on one rail, in one currency. Only groups that reach their floor are loaded. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { FloorGroup, FloorSum, Payout } from '#libs/payout-rules';
import { after, HELD_FOR, locking, OF_ACTIVE } from './held-for';

export interface AccruedGroup extends FloorGroup {
  floorCents: number;
}

/** By rail: what a payout must reach, and what at least in a currency, whatever a client's own floor is. */
export type RailFloors = Record<string, { floorCents: number; leasts: Record<string, number | null> }>;

export interface Portion {
  floorCents: number;
  /** The last payout of the portion before. */
  after: string | null;
  payouts: number;
  /** The last one may be that large. */
  most: number;
}

@Injectable()
export class FloorReads {
  constructor(private readonly db: Db) {}

  /** The groups that reach their floors, if clients have none of their own by rail. */
  accrued(floors: RailFloors): Promise<AccruedGroup[]> {
    return this.db.rows<AccruedGroup>(ACCRUED, [JSON.stringify(floors)]);
  }

  sums(groups: FloorGroup[]): Promise<FloorSum[]> {
    return this.db.rows<FloorSum>(SUMS, columnsOf(groups));
  }

  /** The sum of a group's payouts after that one. */
  async centsAfter({ payeeId, provider, currency }: FloorGroup, after: string | null): Promise<number> {
    const [rest] = await this.db.rows<{ cents: number }>(REST_CENTS, [payeeId, provider, currency, after]);
    return rest?.cents ?? 0;
  }

  lock(groups: FloorGroup[]): Promise<Payout[]> {
    return this.db.rows<Payout>(LOCK, columnsOf(groups));
  }

  /**
   * The oldest of a group. If the rest might not reach the floor, it is the whole group: nobody would come back for the rest if this
   * process ended.
   */
  lockPortion({ payeeId, provider, currency }: FloorGroup, portion: Portion): Promise<Payout[]> {
    const { floorCents, payouts, most } = portion;
    return this.db.rows<Payout>(LOCK_PORTION, [
      ...[payeeId, provider, currency],
      ...[portion.after, payouts, floorCents, most],
    ]);
  }
}

const columnsOf = (groups: FloorGroup[]): unknown[] => [
  groups.map(({ payeeId }) => payeeId),
  groups.map(({ provider }) => provider),
  groups.map(({ currency }) => currency),
];

/** A payee without a rail has no floor to wait for. */
const WAITING = `${HELD_FOR} = 'below_min_payout'`;
const WANTED = `unnest($1::uuid[], $2::text[], $3::bpchar[]) AS wanted (payee_id, provider, currency)`;
const OF_WANTED = `payee_id = wanted.payee_id AND provider = wanted.provider AND currency = wanted.currency`;

const ACCRUED = `
  SELECT waiting.payee_id, waiting.provider, waiting.currency, due.floor_cents FROM (
    SELECT client_id, payee_id, provider, currency, sum(amount_cents) AS cents, min(created_at) AS oldest FROM payouts
    WHERE ${WAITING} AND provider IS NOT NULL AND ${OF_ACTIVE} GROUP BY client_id, payee_id, provider, currency
  ) AS waiting JOIN clients ON clients.id = waiting.client_id
  CROSS JOIN LATERAL (SELECT $1::jsonb -> waiting.provider AS floors) AS rail
  CROSS JOIN LATERAL (SELECT (rail.floors -> 'leasts' ->> waiting.currency::text)::bigint AS cents) AS least
  CROSS JOIN LATERAL (SELECT greatest(least.cents,
    coalesce((clients.floors ->> waiting.provider)::bigint, least.cents, (rail.floors ->> 'floorCents')::bigint, 0)) AS floor_cents) AS due
  WHERE waiting.cents >= due.floor_cents ORDER BY waiting.oldest`;

const SUMS = `
  SELECT wanted.payee_id, wanted.provider, wanted.currency, found.cents, found.payouts FROM ${WANTED}
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS cents, count(*)::int AS payouts FROM payouts
    WHERE ${WAITING} AND ${OF_WANTED}
  ) AS found`;

const LOCK = locking(
  `'below_min_payout'`,
  `ARRAY(
    SELECT found.id FROM ${WANTED}
    CROSS JOIN LATERAL (SELECT id FROM payouts WHERE ${WAITING} AND ${OF_WANTED}) AS found)`,
);

const REST = `${WAITING} AND payee_id = $1 AND provider = $2 AND currency = $3 AND ${after('$4')}`;
const REST_CENTS = `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM payouts WHERE ${REST}`;
const LOCK_PORTION = locking(
  `'below_min_payout'`,
  `ARRAY(
    SELECT id FROM payouts WHERE ${REST} ORDER BY created_at, id
    LIMIT (
      SELECT CASE WHEN sum(amount_cents) FILTER (WHERE place > $5::int) >= $6::bigint OR count(*) > $7::int THEN $5::int END
      FROM (SELECT amount_cents, row_number() OVER (ORDER BY created_at, id) AS place FROM payouts WHERE ${REST}) AS rest
    ))`,
);
