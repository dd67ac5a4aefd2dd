/** The append-only log of what operators did. It is written in the transaction of the deed. */
import { Injectable } from '@nestjs/common';
import { type ListPlace, newId } from '#libs/domain';
import { Db } from '#libs/db';

export interface AuditEntry {
  actor: string;
  action: string;
  clientId?: string;
  target?: string;
  before?: unknown;
  after?: unknown;
}

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
export class AuditStore {
  constructor(private readonly db: Db) {}

  async add({ actor, action, clientId, target, before, after }: AuditEntry): Promise<void> {
    await this.db.execute(
      'INSERT INTO audit_log (id, actor, action, client_id, target, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [newId(), actor, action, clientId ?? null, target ?? null, json(before), json(after)],
    );
  }

  list(clientId: string | null, after: ListPlace | null, limit: number): Promise<(AuditRow & ListPlace)[]> {
    return this.db.rows<AuditRow & ListPlace>(LIST, [clientId, after?.createdUs ?? null, after?.id ?? null, limit]);
  }
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

const LIST = `
  SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM audit_log
  WHERE ($1::uuid IS NULL OR client_id = $1)
    AND ($2::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $2::bigint * interval '1 microsecond', $3::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $4 + 1`;
