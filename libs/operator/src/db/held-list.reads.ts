/** All payouts held for one reason, oldest first: for operators who let them go on. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { ListPlace, PageRow } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';

export interface HeldFilter {
  reason: string;
  clientId?: string;
  /** Made before then. */
  before?: Date;
}

export type HeldPayout = PageRow &
  Pick<Payout, 'id' | 'clientId' | 'payeeId' | 'amountCents' | 'currency' | 'createdAt' | 'statusReason'>;

@Injectable()
export class HeldListReads {
  constructor(private readonly db: Db) {}

  list({ reason, clientId, before }: HeldFilter, place: ListPlace | null, limit: number): Promise<HeldPayout[]> {
    return this.db.rows<HeldPayout>(LIST, [
      reason,
      clientId ?? null,
      before ?? null,
      place?.createdUs ?? null,
      place?.id ?? null,
      limit,
    ]);
  }
}

/** As the indexes on held payouts have it. */
const HELD_FOR = `status = 'held' AND split_part(status_reason, ':', 1)`;

const LIST = `
  SELECT id, client_id, payee_id, amount_cents, currency, created_at, status_reason,
    (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us
  FROM payouts
  WHERE ${HELD_FOR} = $1
    AND ($2::uuid IS NULL OR client_id = $2)
    AND ($3::timestamptz IS NULL OR created_at < $3)
    AND ($4::bigint IS NULL OR (created_at, id) > (to_timestamp(0) + $4::bigint * interval '1 microsecond', $5::uuid))
  ORDER BY created_at, id LIMIT $6 + 1`;
