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

@Injectable()
export class AuditReads {
  constructor(private readonly db: Db) {}

  list(clientId: string | null, after: ListPlace | null, limit: number): Promise<(AuditRow & PageRow)[]> {
    return this.db.rows<AuditRow & PageRow>(LIST, [clientId, after?.createdUs ?? null, after?.id ?? null, limit]);
  }
}

/** A table of routes is a hundred kilobytes, and stands in a row twice. */
const LIST = boundedPage(
  `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM audit_log
  WHERE ($1::uuid IS NULL OR client_id = $1)
    AND ($2::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $2::bigint * interval '1 microsecond', $3::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $4 + 1`,
  `1000 + coalesce(octet_length(page.before::text), 0) + coalesce(octet_length(page.after::text), 0)`,
);
