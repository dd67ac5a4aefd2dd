/** A payment of the payee whose wallet is open, and nobody else's. */
import { Injectable } from '@nestjs/common';
import { canonicalId, Refusal } from '#libs/domain';
import { legToSend } from '#libs/payout-rules';
import { type ClaimVisit, VisitClaim } from '../use-cases/visit-claim';
import type { Visitor } from '../use-cases/visit-portal';

@Injectable()
export class OwnPayment {
  constructor(private readonly visits: VisitClaim) {}

  async of(visitor: Visitor, id: string): Promise<ClaimVisit> {
    const payoutId = canonicalId(id);
    const visit = payoutId === null ? null : await this.visits.own(visitor, payoutId);
    if (!visit) throw new Refusal('not_found', 'There is no such payment in this wallet.');
    return visit;
  }

  /** One that has not left yet: its payee still has to say where to, or said so a moment ago. null: it left, or never waited. */
  async notLeft(visitor: Visitor, id: string): Promise<ClaimVisit | null> {
    const visit = await this.of(visitor, id);
    const isHere = visit.stage === 'wallet' || legToSend(visit.payout)?.destination !== undefined;
    return isHere && !visit.isLed ? visit : null;
  }
}
