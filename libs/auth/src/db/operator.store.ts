/** Names operators and takes their tokens back. Only a digest of each token is kept. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { OperatorRoleName } from '#libs/http-kit';
import { COLUMNS, type OperatorRow } from './operator.reads';

@Injectable()
export class OperatorStore {
  constructor(private readonly db: Db) {}

  /** null when the name is taken, in capitals or not. In a transaction: nobody else is named meanwhile. */
  async insert(operator: {
    id: string;
    name: string;
    role: OperatorRoleName;
    digest: Buffer;
  }): Promise<OperatorRow | null> {
    await this.db.execute('LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE');
    return this.db.row<OperatorRow>(
      `INSERT INTO operators (id, name, role, digest) SELECT $1, $2, $3, $4
       WHERE NOT EXISTS (SELECT FROM operators WHERE lower(name) = lower($2)) RETURNING ${COLUMNS}`,
      [operator.id, operator.name, operator.role, operator.digest],
    );
  }

  revoke(id: string): Promise<OperatorRow | null> {
    return this.db.row<OperatorRow>(
      `UPDATE operators SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${COLUMNS}`,
      [id],
    );
  }
}
