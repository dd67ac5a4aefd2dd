/**
 * What becomes of the rows of a payout that failed here, and whose money moved after all, once an operator looked into it:
 * they stay owed and may leave again, or they count as paid.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Jobs } from '#libs/jobs';
import { ChangePayout, type Drift, type Payout } from '#libs/payouts';
import { Rails } from '#libs/rail-registry';
import { DisbursementStore } from '../db/disbursement.store';
import type { Disbursement } from '../disbursement';
import { LandDisputed } from './land-disputed';

export const DISPUTED_ROWS = ['owed', 'paid'] as const;
export type DisputedRows = (typeof DISPUTED_ROWS)[number];

@Injectable()
export class SettleDisputed {
  constructor(
    private readonly change: ChangePayout,
    private readonly store: DisbursementStore,
    private readonly landing: LandDisputed,
    private readonly rails: Rails,
    private readonly jobs: Jobs,
  ) {}

  /** Part of a transaction that holds the locks of the payout and its payee. Returns how many rows were settled. */
  async run(payout: Payout, drift: Drift, rows: DisputedRows): Promise<number> {
    if (rows === 'owed') return this.setFree(payout);
    const { id, payeeId } = payout;
    const ofPayout = await this.store.everOn(payeeId, id);
    // What failed only for now goes on, and its rows follow it.
    if (await this.change.foundPaid(payout, drift.providerRef))
      return ofPayout.filter(({ transactionId }) => transactionId === id).length;
    return this.settle(payout, ofPayout, drift);
  }

  /** They leave as they would have: by themselves only where credited money does. */
  private async setFree({ payeeId, clientId, provider }: Payout): Promise<0> {
    if (this.rails.traits(provider)?.releasesOwed === 'on_credit')
      await this.jobs.add([{ name: 'owed.release', entityId: payeeId, lane: clientId }]);
    return 0;
  }

  /** The payout stays as it ended. Its rows may have failed once more since, on payouts that must not be tried again now. */
  private async settle(payout: Payout, ofPayout: Disbursement[], drift: Drift): Promise<number> {
    const { id } = payout;
    const owed = ofPayout.filter(({ status }) => status === 'owed');
    refuseUnsettled(ofPayout, owed);
    const later = owed.map(({ transactionId }) => transactionId).filter((other) => other !== null && other !== id);
    await this.change.giveUp([...new Set(later as string[])], `rows of it were paid as payout ${id}`);
    await this.store.payAs(
      id,
      owed.map((row) => row.id),
    );
    const cents = owed.reduce((sum, { amountCents }) => sum + amountCents, 0);
    await this.landing.run(payout, cents, drift);
    return owed.length;
  }
}

/** A decision that would change nothing, or that another payout may still overtake, is not taken in silence. */
function refuseUnsettled(ofPayout: Disbursement[], owed: Disbursement[]): void {
  const underWay = ofPayout.filter(({ status }) => status === 'released');
  if (underWay.length > 0)
    throw new Refusal(
      'illegal_transition',
      `${underWay.length} of its rows went on to payout ${underWay[0]?.transactionId}, which is under way. ` +
        'Resolve this once that one has come to its end.',
    );
  if (owed.length === 0)
    throw new Refusal(
      'illegal_transition',
      'None of its rows is owed any more: another payout paid them. Resolve it with rows: owed, and recover the money.',
    );
}
