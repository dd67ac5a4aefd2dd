/**
 * Payouts that wait for a floor, by group: one payee's, in one currency, on the rail that they would go over now (`groupNow`). What cools down
 * lifts no others over a floor. Only groups that reach their floor are loaded.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { CoolDown } from '#libs/payees';
import type { FloorGroup, FloorSum, Payout } from '#libs/payout-rules';
import {
  after,
  GROUPS_AT_A_TIME,
  HELD_FOR,
  locking,
  mayLeave,
  OF_ACTIVE,
  oneOfEachClient,
  WITH_PAYEES,
} from './held-for';

export interface AccruedGroup extends FloorGroup {
  clientId: string;
  floorCents: number;
  /** How many payouts may leave. */
  size: number;
  /** When the last of them was made. */
  newest: string;
}

/** By rail: what a payout must reach, and what at least in a currency, whatever a client's own floor is. */
export type RailFloors = Record<string, { floorCents: number; leasts: Record<string, number | null> }>;

export interface Portion {
  floorCents: number;
  /** The last payout of the portion before. */
  after: string | null;
  /** If given, none that was made later. */
  newest: string | null;
  payouts: number;
  /** The last one may be that large. */
  most: number;
}

@Injectable()
export class FloorReads {
  constructor(
    private readonly db: Db,
    private readonly coolDown: CoolDown,
  ) {}

  /** The groups that reach their floors, if clients have none of their own by rail. */
  accrued(floors: RailFloors): Promise<AccruedGroup[]> {
    return this.db.rows<AccruedGroup>(ACCRUED, [
      JSON.stringify(floors),
      this.coolDown.railsByAddress(),
      GROUPS_AT_A_TIME,
    ]);
  }

  /** Of a group with more payouts than `most` only so many are counted. */
  sums(groups: FloorGroup[], most: number): Promise<FloorSum[]> {
    return this.db.rows<FloorSum>(SUMS, [...columnsOf(groups), this.coolDown.railsByAddress(), most + 1]);
  }

  /** The sum of a group's payouts after that one. */
  async centsAfter({ payeeId, provider, currency }: FloorGroup, after: string | null): Promise<number> {
    const [rest] = await this.db.rows<{ cents: number }>(REST_CENTS, [
      ...[payeeId, provider, currency, after],
      this.coolDown.railsByAddress(),
    ]);
    return rest?.cents ?? 0;
  }

  /** Those that nobody else holds: the transaction is shared. */
  lockFree(groups: FloorGroup[]): Promise<Payout[]> {
    return this.db.rows<Payout>(LOCK_FREE, [...columnsOf(groups), this.coolDown.railsByAddress()]);
  }

  /**
   * The oldest of a group. If the rest might not reach the floor, it is the whole group: nobody would come back for the rest if this
   * process ended.
   */
  lockPortion({ payeeId, provider, currency }: FloorGroup, portion: Portion): Promise<Payout[]> {
    const { floorCents, newest, payouts, most } = portion;
    return this.db.rows<Payout>(LOCK_PORTION, [
      ...[payeeId, provider, currency, portion.after, this.coolDown.railsByAddress()],
      ...[payouts, floorCents, most, newest],
    ]);
  }
}

const columnsOf = (groups: FloorGroup[]): unknown[] => [
  groups.map(({ payeeId }) => payeeId),
  groups.map(({ provider }) => provider),
  groups.map(({ currency }) => currency),
];

const RAIL = 'CASE WHEN payouts.submitted_at IS NULL THEN payees.provider ELSE payouts.provider END';
const WAITING = `${HELD_FOR} = 'below_min_payout'`;
const WANTED = `unnest($1::uuid[], $2::text[], $3::bpchar[]) AS wanted (payee_id, provider, currency)`;
const OF_WANTED = `payouts.payee_id = wanted.payee_id AND ${RAIL} = wanted.provider AND payouts.currency = wanted.currency`;

/** A payee without a rail has no floor to wait for. */
const ACCRUED = `
  SELECT waiting.client_id, waiting.payee_id, waiting.provider, waiting.currency, waiting.size, waiting.newest, due.floor_cents FROM (
    SELECT payouts.client_id, payouts.payee_id, ${RAIL} AS provider, payouts.currency, sum(amount_cents) AS cents, count(*)::int AS size,
      max(payouts.created_at)::text AS newest
    FROM ${WITH_PAYEES} WHERE ${WAITING} AND ${OF_ACTIVE} AND ${mayLeave('$2')} GROUP BY 1, 2, 3, 4
  ) AS waiting JOIN clients ON clients.id = waiting.client_id
  CROSS JOIN LATERAL (SELECT $1::jsonb -> waiting.provider AS floors) AS rail
  CROSS JOIN LATERAL (SELECT (rail.floors -> 'leasts' ->> waiting.currency::text)::bigint AS cents) AS least
  CROSS JOIN LATERAL (SELECT greatest(least.cents,
    coalesce((clients.floors ->> waiting.provider)::bigint, least.cents, (rail.floors ->> 'floorCents')::bigint, 0)) AS floor_cents) AS due
  WHERE waiting.provider IS NOT NULL AND waiting.cents >= due.floor_cents
  ${oneOfEachClient('waiting.client_id')} LIMIT $3`;

const SUMS = `
  SELECT wanted.payee_id, wanted.provider, wanted.currency, found.cents, found.payouts, found.leaving FROM ${WANTED}
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_cents) FILTER (WHERE may_leave), 0)::bigint AS cents, count(*)::int AS payouts,
      (count(*) FILTER (WHERE may_leave))::int AS leaving
    FROM (SELECT amount_cents, ${mayLeave('$4')} AS may_leave FROM ${WITH_PAYEES} WHERE ${WAITING} AND ${OF_WANTED} LIMIT $5) AS counted
  ) AS found`;

/** Group by group, which OFFSET has the planner do: taken together they may be looked for among all that waits. */
const LOCK_FREE = locking(
  `'below_min_payout'`,
  `ARRAY(
    SELECT found.id FROM ${WANTED}
    CROSS JOIN LATERAL (SELECT payouts.id FROM ${WITH_PAYEES} WHERE ${WAITING} AND ${OF_WANTED} AND ${mayLeave('$4')} OFFSET 0) AS found)`,
  'SKIP LOCKED',
);

const REST = `${WITH_PAYEES} WHERE ${WAITING} AND payouts.payee_id = $1 AND ${RAIL} = $2 AND payouts.currency = $3
  AND ${after('$4')} AND ${mayLeave('$5')}`;
const REST_CENTS = `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM ${REST}`;
const OLDEST_FIRST = 'ORDER BY payouts.created_at, payouts.id';
const REST_AS_FOUND = `${REST} AND ($9::timestamptz IS NULL OR payouts.created_at <= $9)`;
const LOCK_PORTION = locking(
  `'below_min_payout'`,
  `ARRAY(
    SELECT payouts.id FROM ${REST_AS_FOUND} ${OLDEST_FIRST}
    LIMIT (
      SELECT CASE WHEN sum(amount_cents) FILTER (WHERE place > $6::int) >= $7::bigint OR count(*) > $8::int THEN $6::int END
      FROM (SELECT amount_cents, row_number() OVER (${OLDEST_FIRST}) AS place FROM ${REST_AS_FOUND}) AS rest
    ))`,
);
