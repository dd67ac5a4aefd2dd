/** Receivers that are left alone for a while, for the operator. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { ListPlace } from '#libs/domain';

export interface RestingReceiver {
  clientId: string;
  host: string;
  consecutiveFailures: number;
  failingSince: Date;
  lastStatusCode: number | null;
  lastError: string | null;
  /** How often it was left alone since it last acknowledged anything. */
  rests: number;
  restedAt: Date;
  /** In the past if the next event that is due will probe it. */
  restingUntil: Date;
}

@Injectable()
export class ReceiverReads {
  constructor(private readonly db: Db) {}

  /** Those that were put to rest and have acknowledged nothing since, newest first; one more than asked for. */
  resting(after: ListPlace | null, limit: number): Promise<(RestingReceiver & ListPlace)[]> {
    return this.db.rows<RestingReceiver & ListPlace>(RESTING, [after?.createdUs ?? null, after?.id ?? null, limit]);
  }

  async countResting(): Promise<number> {
    return (await this.db.row<{ count: number }>(COUNT))?.count ?? 0;
  }
}

const RESTING = `
  SELECT client_id, host, consecutive_failures, failing_since, last_status_code, last_error, rests, rested_at, resting_until,
    client_id AS id, (extract(epoch FROM rested_at) * 1000000)::bigint::text AS created_us
  FROM receivers
  WHERE rested_at IS NOT NULL AND ($1::bigint IS NULL
    OR (rested_at, client_id) < (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2::uuid))
  ORDER BY rested_at DESC, client_id DESC LIMIT $3 + 1`;

const COUNT = 'SELECT count(*)::int AS count FROM receivers WHERE rested_at IS NOT NULL';
