/** The audit log, as it is read. */
import { Injectable } from '@nestjs/common';
import type { ListPlace, PageRow } from '#libs/domain';
import { boundedPage, Db } from '#libs/db';

export interface AuditRow {
  id: string;
  actor: string;
  action: string;
  clientId: string | null;
  target: string | null;
  before: unknown;
  after: unknown;
  createdAt: Date;
}

export interface AuditFilter {
  clientId?: string;
  actor?: string;
  /** Whole, or as it begins up to a dot: `payout` is all that was done to payouts. */
  action?: string;
  from?: Date;
  to?: Date;
}

@Injectable()
export class AuditReads {
  constructor(private readonly db: Db) {}

  list(
    { clientId, actor, action, from, to }: AuditFilter,
    after: ListPlace | null,
    limit: number,
  ): Promise<(AuditRow & PageRow)[]> {
    return this.db.rows<AuditRow & PageRow>(LIST, [
      clientId ?? null,
      after?.createdUs ?? null,
      after?.id ?? null,
      limit,
      actor ?? null,
      action ?? null,
      from ?? null,
      to ?? null,
    ]);
  }
}

/** A table of routes is a hundred kilobytes, and stands in a row twice. */
const LIST = boundedPage(
  `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM audit_log
  WHERE ($1::uuid IS NULL OR client_id = $1)
    AND ($5::text IS NULL OR actor = $5)
    AND ($6::text IS NULL OR action = $6 OR starts_with(action, $6 || '.'))
    AND ($7::timestamptz IS NULL OR created_at >= $7) AND ($8::timestamptz IS NULL OR created_at < $8)
    AND ($2::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $2::bigint * interval '1 microsecond', $3::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $4 + 1`,
  `1000 + coalesce(octet_length(page.before::text), 0) + coalesce(octet_length(page.after::text), 0)`,
);
