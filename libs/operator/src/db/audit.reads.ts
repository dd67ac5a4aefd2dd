/** The audit log, as it is read. */
import { Injectable } from '@nestjs/common';
import type { ListPlace, PageRow } from '#libs/domain';
import { boundedPage, Db, isAfterPlace } from '#libs/db';

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

  list(filter: AuditFilter, after: ListPlace | null, limit: number): Promise<(AuditRow & PageRow)[]> {
    const { sql, values } = pageQuery(filter, after, limit);
    return this.db.rows<AuditRow & PageRow>(sql, values);
  }
}

/**
 * Only what is asked for stands in it, so that the page is read off an index, whoever wrote most of the log. A table of routes is a hundred
 * kilobytes, and stands in a row twice.
 */
function pageQuery(
  { clientId, actor, action, from, to }: AuditFilter,
  after: ListPlace | null,
  limit: number,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (item: unknown): string => `$${values.push(item)}`;
  const isAction = (given: string): string => `(action = ${given} OR starts_with(action, ${given} || '.'))`;
  const conditions = [
    clientId && `client_id = ${value(clientId)}::uuid`,
    actor && `actor = ${value(actor)}`,
    action && isAction(`${value(action)}::text`),
    from && `created_at >= ${value(from)}::timestamptz`,
    to && `created_at < ${value(to)}::timestamptz`,
    after && isAfterPlace({ table: 'audit_log' }, value(after.createdUs), value(after.id)),
  ].filter(Boolean);
  const page = `
    SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM audit_log
    ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
    ORDER BY created_at DESC, id DESC LIMIT ${value(limit + 1)}`;
  return { sql: boundedPage(page, BYTES), values };
}

const BYTES = `1000 + coalesce(octet_length(page.before::text), 0) + coalesce(octet_length(page.after::text), 0)`;
