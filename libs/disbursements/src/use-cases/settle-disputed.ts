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
    const { id } = payout;
    const ofPayout = await this.rowsOf(payout);
    // What failed only for now goes on, and its rows follow it.
    if (await this.change.foundPaid(payout, drift.providerRef))
      return ofPayout.filter(({ transactionId }) => transactionId === id).length;
    return this.settle(payout, ofPayout, drift);
  }

  /** Where they are by now, which changes with the payouts that they are on: those are locked first. */
  private async rowsOf(payout: Payout): Promise<Disbursement[]> {
    const { id, payeeId } = payout;
    await this.change.lock([id, ...laterOf(payout, await this.store.everOn(payeeId, id))]);
    return this.store.everOn(payeeId, id);
  }

  /** They leave as they would have: by themselves only where credited money does. */
  private async setFree(payout: Payout): Promise<0> {
    const { id, payeeId, clientId, provider, railKey, status } = payout;
    if (status === 'submitted')
      throw new Refusal('illegal_transition', 'The payout is under way: nothing of it is owed yet. Wait for its end.');
    const later = laterOf(payout, await this.rowsOf(payout));
    // Its rail repeats itself: what it says of the old code counts for nothing more, and nothing is sent under that code.
    await this.change.giveUp([id], 'an operator found that its money did not arrive');
    await this.change.giveUp(
      later,
      `money moved under its code, as payout ${id}`,
      (other) => other.railKey === railKey,
    );
    if (this.rails.traits(provider)?.releasesOwed === 'on_credit')
      await this.jobs.add([{ name: 'owed.release', entityId: payeeId, lane: clientId }]);
    return 0;
  }

  /** The payout stays as it ended. Its rows may have failed once more since, on payouts that must not be tried again now. */
  private async settle(payout: Payout, ofPayout: Disbursement[], drift: Drift): Promise<number> {
    const { id } = payout;
    const owed = ofPayout.filter(({ status }) => status === 'owed');
    refuseUnsettled(payout, ofPayout, owed);
    await this.change.giveUp(laterOf(payout, owed), `rows of it were paid as payout ${id}`);
    await this.store.payAs(
      id,
      owed.map((row) => row.id),
    );
    const cents = sumOf(owed);
    await this.landing.run(payout, cents, drift);
    return owed.length;
  }
}

const sumOf = (rows: Disbursement[]): number => rows.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** The payouts that its rows went on to. */
const laterOf = ({ id }: Payout, rows: Disbursement[]): string[] =>
  rows.flatMap(({ transactionId }) => (transactionId === null || transactionId === id ? [] : transactionId));

/** A decision that would change nothing, or that another payout may still overtake, is not taken in silence. */
function refuseUnsettled({ amountCents }: Payout, ofPayout: Disbursement[], owed: Disbursement[]): void {
  // Before rows remembered where they had been, all that a later payout took counts as having been on the earlier one.
  if (sumOf(ofPayout) > amountCents)
    throw new Refusal(
      'illegal_transition',
      `Rows of ${sumOf(ofPayout)} cents may have been on it, and ${amountCents} moved. Resolve it with rows: owed.`,
    );
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
