/** Names operators and takes their tokens back, in the transaction of whoever does it. A token is shown once. */
import { Injectable } from '@nestjs/common';
import { digest, newId, newToken } from '#libs/domain';
import type { OperatorRoleName } from '#libs/http-kit';
import type { OperatorRow } from '../db/operator.reads';
import { OperatorStore } from '../db/operator.store';

@Injectable()
export class IssueTokens {
  constructor(private readonly operators: OperatorStore) {}

  /** null when the name is taken, in capitals or not. */
  async name(name: string, role: OperatorRoleName): Promise<{ operator: OperatorRow; token: string } | null> {
    const token = newToken('gw_op');
    const operator = await this.operators.insert({ id: newId(), name, role, digest: digest(token) });
    return operator && { operator, token };
  }

  /** null when there is nobody of that id. */
  revoke(id: string): Promise<OperatorRow | null> {
    return this.operators.revoke(id);
  }
}
