/** The named operators, as they are read. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import { Db } from '#libs/db';
import type { OperatorRoleName } from '#libs/http-kit';

export interface OperatorRow {
  id: string;
  name: string;
  role: OperatorRoleName;
  revokedAt: Date | null;
  createdAt: Date;
}

export const COLUMNS = 'id, name, role, revoked_at, created_at';

@Injectable()
export class OperatorReads {
  constructor(private readonly db: Db) {}

  byTokens(digests: Buffer[]): Promise<(OperatorRow & { digest: Buffer })[]> {
    return this.db.rows(
      `SELECT ${COLUMNS}, digest FROM operators WHERE digest = ANY($1::bytea[]) AND revoked_at IS NULL`,
      [digests],
    );
  }

  /** Within a transaction, which keeps the token from being revoked before it ends. null if it is revoked, or unknown. */
  hold(digest: Buffer): Promise<OperatorRow | null> {
    return this.db.row(`SELECT ${COLUMNS} FROM operators WHERE digest = $1 AND revoked_at IS NULL FOR SHARE`, [digest]);
  }

  /** Whose client, payee or payout an id names. null: none. */
  async clientOf(id: string): Promise<string | null> {
    return (await this.db.row<{ clientId: string }>(CLIENT_OF, [id]))?.clientId ?? null;
  }

  /** Newest first. */
  list(after: ListPlace | null, limit: number): Promise<(OperatorRow & ListPlace)[]> {
    return this.db.rows<OperatorRow & ListPlace>(LIST, [after?.createdUs ?? null, after?.id ?? null, limit]);
  }
}

const CLIENT_OF = `
  SELECT client_id FROM payouts WHERE id = $1 UNION ALL SELECT client_id FROM payees WHERE id = $1 UNION ALL SELECT id FROM clients WHERE id = $1`;

const LIST = `
  SELECT ${COLUMNS}, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us
  FROM operators
  WHERE $1::bigint IS NULL OR (created_at, id) < (to_timestamp(0) + $1::bigint * interval '1 microsecond', $2::uuid)
  ORDER BY created_at DESC, id DESC LIMIT $3 + 1`;
