/** The named operators, newest first. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import type { OperatorRow } from '#libs/auth';
import { Db } from '#libs/db';

@Injectable()
export class NamedOperatorReads {
  constructor(private readonly db: Db) {}

  list(after: ListPlace | null, limit: number): Promise<(OperatorRow & ListPlace)[]> {
    return this.db.rows<OperatorRow & ListPlace>(LIST, [after?.createdUs ?? null, after?.id ?? null, limit]);
  }
}

const LIST = `
  SELECT id, name, role, revoked_at, created_at, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us
  FROM operators
  WHERE $1::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2::uuid)
  ORDER BY created_at DESC, id DESC LIMIT $3 + 1`;
