/**
 * Before money leaves for where its payee wants it, their check is asked for once more: it may have been withdrawn since they gave the
 * address, or their client may require it only now.
 */
import { Injectable } from '@nestjs/common';
import { isAsAsked, legToSend, type Payout, unbegun } from '#libs/payout-rules';
import { log } from '#libs/telemetry';
import { ChangePayout } from './change-payout';
import { CheckPayee } from './check-payee';

@Injectable()
export class CheckedLegs {
  constructor(
    private readonly checks: CheckPayee,
    private readonly change: ChangePayout,
  ) {}

  /**
   * null: it may leave. Otherwise the payout as it is now: if it was never sent it waits for its payee again, and if it may have left it is
   * only asked about until they are cleared.
   */
  async withheld(payout: Payout): Promise<Payout | null> {
    const isBegun = !payout.sentElsewhere && legToSend(payout)?.destination !== undefined;
    if (!isBegun) return null;
    const { kind: standing } = await this.checks.standing(payout, { beforeSend: true });
    if (standing === 'cleared') return null;
    log.info({ event: 'payout.withheld', payoutId: payout.id, standing }, 'its payee is not cleared');
    if (standing === 'unknown') return payout;
    return this.change.one(payout.id, (locked) => (isAsAsked(locked, payout) ? unbegun(locked) : null));
  }
}
