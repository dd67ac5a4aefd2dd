/**
 * Every movement that a rail ever listed. A list is of some minutes, and two payments under one code may be further apart:
 * what a payout is compared with is all that moved under its code.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { RailMovement } from '#libs/rail-kit';

@Injectable()
export class MovementStore {
  constructor(private readonly db: Db) {}

  /** However often a movement is listed it is there once, as it was listed last. */
  async keep(rail: string, movements: RailMovement[]): Promise<void> {
    if (movements.length === 0) return;
    await this.db.execute(KEEP, [
      rail,
      movements.map(({ railKey }) => railKey),
      movements.map(nameOf),
      movements.map(({ currency }) => currency),
      movements.map(({ providerRef }) => providerRef || null),
      movements.map(({ amountCents }) => amountCents),
    ]);
  }
}

/** A movement is known by its reference; where a rail gives none, by its time. */
const nameOf = ({ providerRef, movedAt }: RailMovement): string => providerRef || movedAt.toISOString();

const KEEP = `
  INSERT INTO rail_movements (rail, rail_key, movement, currency, provider_ref, amount_cents)
  SELECT $1, rail_key, movement, currency, max(provider_ref), sum(cents)
  FROM (
    SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
      AS one (rail_key, movement, currency, provider_ref, cents)
  ) AS each
  GROUP BY rail_key, movement, currency ORDER BY rail_key, movement, currency
  ON CONFLICT (rail, rail_key, movement, currency) DO UPDATE SET amount_cents = excluded.amount_cents
    WHERE rail_movements.amount_cents <> excluded.amount_cents`;
