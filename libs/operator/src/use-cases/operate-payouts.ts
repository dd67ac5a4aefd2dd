/** What operators do with single payouts. The deed and its line in the audit log name who did it. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { NOT_THERE } from '#libs/http-kit';
import { type Payout, PayoutReads, RemedyPayout } from '#libs/payouts';
import { AuditStore } from '../db/audit.store';

@Injectable()
export class OperatePayouts {
  constructor(
    private readonly payouts: PayoutReads,
    private readonly remedies: RemedyPayout,
    private readonly audit: AuditStore,
  ) {}

  async find(id: string): Promise<Payout> {
    const payout = await this.payouts.find(id);
    if (!payout) throw new Refusal('payout_not_found', NOT_THERE);
    return payout;
  }

  release(actor: string, id: string): Promise<Payout> {
    return this.remedied(actor, id, 'payout.released', (payout) => this.remedies.release(payout, 'operator'));
  }

  retry(actor: string, id: string): Promise<Payout> {
    return this.remedied(actor, id, 'payout.retried', (payout) => this.remedies.retry(payout, 'operator'));
  }

  fail(actor: string, id: string, why: string | null): Promise<Payout> {
    return this.remedied(actor, id, 'payout.failed', (payout) => this.remedies.giveUp(payout, why));
  }

  /** A remedy calls the rail, so it is no one transaction: its line is written before, and what came of it after. */
  private async remedied(
    actor: string,
    id: string,
    action: string,
    remedy: (payout: Payout) => Promise<Payout>,
  ): Promise<Payout> {
    const before = await this.find(id);
    const line = { actor, action, clientId: before.clientId, target: id, before: standing(before) };
    try {
      const after = await remedy(before);
      await this.audit.add({ ...line, after: standing(after) });
      return after;
    } catch (error) {
      await this.audit.add({ ...line, after: { refused: (error as Error).message } });
      throw error;
    }
  }
}

const standing = ({ status, statusReason, failureKind }: Payout): object => ({ status, statusReason, failureKind });
