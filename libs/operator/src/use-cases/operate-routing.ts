/** Whom operators let nobody pay, and which rails serve which country; each change with its line in the audit log. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { BlockPayee, ChangeRoutes, type Payee, type RouteRow } from '#libs/payees';
import { AuditStore } from '../db/audit.store';

@Injectable()
export class OperateRouting {
  constructor(
    private readonly db: Db,
    private readonly blocking: BlockPayee,
    private readonly routing: ChangeRoutes,
    private readonly audit: AuditStore,
  ) {}

  block(actor: string, payeeId: string, blocked: boolean, reason: string | null): Promise<Payee> {
    return this.db.inTransaction(async () => {
      const { before, after } = await this.blocking.run(payeeId, blocked, reason);
      const action = blocked ? 'payee.blocked' : 'payee.unblocked';
      await this.audit.add({
        actor,
        action,
        clientId: after.clientId,
        target: payeeId,
        before: { blocked: before.blocked, blockReason: before.blockReason },
        after: { blocked: after.blocked, blockReason: after.blockReason },
      });
      return after;
    });
  }

  setRoutes(actor: string, wanted: (before: RouteRow[]) => RouteRow[]): Promise<RouteRow[]> {
    return this.db.inTransaction(async () => {
      const { before, after } = await this.routing.run(wanted);
      await this.audit.add({ actor, action: 'routes.changed', before, after });
      return after;
    });
  }
}
