/** Names operators, takes their tokens back, and seals secrets again: what an admin does about access. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { type Asker, FIRST_OPERATOR, IssueTokens, type OperatorRow } from '#libs/auth';
import { Db } from '#libs/db';
import { type OperatorRoleName } from '#libs/http-kit';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

/** Others whom the audit log, the trail of a payout and the docs name: nobody may be mistaken for one of them. */
const NAMED_ALREADY = [FIRST_OPERATOR.name, 'system', 'client', 'payee', 'operator', 'rail', 'first start'];
const NAME_TAKEN = 'There is, or was, somebody of this name.';

const CREATE = deedOf('operator', 'create', 'created');

@Injectable()
export class NameOperators {
  constructor(
    private readonly db: Db,
    private readonly tokens: IssueTokens,
    private readonly audit: AuditStore,
    private readonly deeds: RecordDeeds,
  ) {}

  async create(asker: Asker, name: string, role: OperatorRoleName): Promise<{ operator: OperatorRow; token: string }> {
    const { actor } = asker;
    return this.deeds.orRefused(CREATE, { actor, target: name }, async () => {
      if (NAMED_ALREADY.includes(name.toLowerCase())) throw new Refusal('name_taken', NAME_TAKEN);
      return this.audit.shownOnce(async (line) => {
        const named = await this.tokens.name(name, role);
        await asker.checkAgain(); // naming waits for whoever takes a token back
        if (!named) throw new Refusal('name_taken', NAME_TAKEN);
        await this.audit.add({ actor, action: CREATE.done, target: named.operator.id, after: { name, role } }, line);
        return named;
      });
    });
  }

  revoke(actor: string, id: string): Promise<OperatorRow> {
    return this.db.inTransaction(async () => {
      const operator = await this.tokens.revoke(id);
      if (!operator) throw new Refusal('operator_not_found');
      const { name, role, revokedAt } = operator;
      const before = { name, role };
      await this.audit.add({ actor, action: 'operator.revoked', target: id, before, after: { ...before, revokedAt } });
      return operator;
    });
  }
}
