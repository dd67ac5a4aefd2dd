/** The named operators, as they are read. */
import { Injectable } from '@nestjs/common';
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

  byToken(digest: Buffer): Promise<OperatorRow | null> {
    return this.db.row<OperatorRow>(`SELECT ${COLUMNS} FROM operators WHERE digest = $1 AND revoked_at IS NULL`, [
      digest,
    ]);
  }

  list(): Promise<OperatorRow[]> {
    return this.db.rows<OperatorRow>(`SELECT ${COLUMNS} FROM operators ORDER BY created_at, id`);
  }
}
