/**
 * Settles a payout that failed here, and whose money moved after all, once an operator looked into it: its rows stay owed and may leave
 * again, or they count as paid; and money that was called paid and came back is owed again.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { cameBack, type Drift } from '#libs/drift';
import { type Disbursement, DisbursementBook, type DisputedRows } from '#libs/owed';
import { isInLegs, type Payout } from '#libs/payout-rules';
import { ChangePayout } from '#libs/payouts';
import { FreeDisputed } from './free-disputed';
import { LandDisputed } from './land-disputed';
import { SettleDirect } from './settle-direct';

@Injectable()
export class SettleDisputed {
  constructor(
    private readonly change: ChangePayout,
    private readonly store: DisbursementBook,
    private readonly direct: SettleDirect,
    private readonly landing: LandDisputed,
    private readonly free: FreeDisputed,
  ) {}

  /**
   * Part of a transaction that holds the locks of the payout and its payee. Returns how many rows were settled. `neverSeen`: an
   * admin found out about them, and their rail cannot be asked.
   */
  async run(payout: Payout, drift: Drift, rows: DisputedRows, neverSeen = false): Promise<number> {
    if (!payout.consolidates) {
      await this.direct.run(payout, drift, rows);
      return 0;
    }
    const { id } = payout;
    if (rows === 'owed' && payout.status === 'submitted') {
      // Its next call waits for this difference. Nothing is freed: it goes on with its own money, which is what is owed.
      if (isInLegs(payout) && !neverSeen) return 0;
      throw new Refusal('illegal_transition', 'The payout is under way: nothing of it is owed yet. Wait for its end.');
    }
    const { ofPayout, later } = await this.rowsOf(payout);
    await this.landing.holdWallet(payout);
    const calledPaid = cameBack(drift) ? ofPayout.filter((row) => isCalledPaid(payout, row)) : [];
    if (calledPaid.length > 0) return rows === 'owed' ? this.takeBack(payout, calledPaid, { drift, neverSeen }) : 0;
    if (rows === 'owed') return this.setFree(payout, ofPayout, neverSeen);
    // A payout that failed only for now goes on, and its rows follow it.
    if (await this.change.foundPaid(payout, drift.providerRef))
      return ofPayout.filter(({ transactionId }) => transactionId === id).length;
    refuseUnsettled(payout, ofPayout, later);
    return this.settle(payout, ofPayout, drift);
  }

  /** Where they are by now, which changes with the payouts that they are on: those are locked first. */
  private async rowsOf(payout: Payout): Promise<{ ofPayout: Disbursement[]; later: Payout[] }> {
    const { id, payeeId } = payout;
    const later = await this.change.lock([id, ...laterOf(payout, await this.store.everOn(payeeId, id))]);
    // Rows that stand for returned money were born with their payouts, so they are among these too.
    return { ofPayout: (await this.store.everOn(payeeId, id)).filter(({ status }) => status !== 'returned'), later };
  }

  /** The bank sent back what an operator had called paid. It is owed again, and waits for a withdrawal as any return does. */
  private async takeBack(
    payout: Payout,
    calledPaid: Disbursement[],
    { drift, neverSeen }: { drift: Drift; neverSeen: boolean },
  ): Promise<number> {
    await this.store.oweAgain(
      payout.id,
      calledPaid.map(({ id }) => id),
    );
    if (payout.status === 'failed') await this.change.foundOut(payout, 'found_returned');
    await this.landing.back(payout, sumOf(calledPaid), drift);
    if (neverSeen) await this.change.giveUp([payout.id], 'its money came back', { neverSeen });
    return calledPaid.length;
  }

  /** They leave as they would have: by themselves only if credited money does. */
  private async setFree(payout: Payout, ofPayout: Disbursement[], neverSeen: boolean): Promise<0> {
    await this.free.run(payout, laterOf(payout, ofPayout), neverSeen);
    return 0;
  }

  /** The payout stays as it ended. Its rows may have failed once more since, on payouts that must not be tried again now. */
  private async settle(payout: Payout, ofPayout: Disbursement[], drift: Drift): Promise<number> {
    const { id } = payout;
    const owed = ofPayout.filter(({ status }) => status === 'owed');
    await this.change.giveUp(laterOf(payout, owed), `rows of it were paid as payout ${id}`);
    await this.store.payAs(
      id,
      owed.map((row) => row.id),
    );
    await this.landing.run(payout, sumOf(owed), drift);
    // The payout came back and was sent out again: it stays returned, and the new payment settled what is owed instead of it.
    if (payout.status === 'failed') await this.change.foundOut(payout, 'found_landed');
    return owed.length;
  }
}

const sumOf = (rows: Disbursement[]): number => rows.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** Rows follow their payout, and its money never arrived, or came back: an operator says that it is there. */
const isCalledPaid = ({ id, status }: Payout, row: Disbursement): boolean =>
  (status === 'failed' || status === 'returned') && row.status === 'paid' && row.transactionId === id;

/** The payouts that its rows went on to. */
const laterOf = ({ id }: Payout, rows: Disbursement[]): string[] =>
  rows.flatMap(({ transactionId }) => (transactionId === null || transactionId === id ? [] : transactionId));

/** A decision that would change nothing, or that another payout may still overtake, is not taken in silence. */
function refuseUnsettled({ id, amountCents }: Payout, ofPayout: Disbursement[], later: Payout[]): void {
  // Before rows remembered where they had been, all that a later payout took counts as having been on the earlier one.
  if (sumOf(ofPayout) > amountCents)
    throw new Refusal(
      'illegal_transition',
      `Rows of ${sumOf(ofPayout)} cents may have been on it, and ${amountCents} moved. ` +
        'Recover that money, then resolve it with rows: owed.',
    );
  const released = ofPayout.filter(({ status }) => status === 'released');
  if (released.length > 0) {
    const { transactionId } = released[0] as Disbursement;
    const next = later.find((other) => other.id === transactionId);
    throw new Refusal(
      'illegal_transition',
      `${released.length} of its rows went on to payout ${transactionId}, which ${firstDo(transactionId, next)}`,
    );
  }
  if (ofPayout.some(({ status }) => status === 'owed')) return;
  const isPaidByIt = ofPayout.every(({ transactionId }) => transactionId === id);
  throw new Refusal('illegal_transition', isPaidByIt ? PAID_BY_IT : PAID_BY_ANOTHER);
}

/** What is not out waits, perhaps for this very difference: it would never come to its end by itself. */
function firstDo(id: string | null, next?: Payout): string {
  if (next?.status === 'held' || next?.status === 'authorized')
    return `is ${next.status}. Fail that one first, with \`gw payouts fail ${id} --yes\`, then resolve this.`;
  return next && isInLegs(next) ? IN_LEGS : 'is under way. Resolve this once that one has come to its end.';
}

const IN_LEGS =
  'is under way, and makes no further call while this is open. Pull its money back at its provider, and resolve this once it has failed; ' +
  'or resolve this with rows: owed, by which it goes on, and recover the money of this one.';

const PAID_BY_ANOTHER =
  'None of its rows is owed any more: another payout paid them. Resolve it with rows: owed, and recover the money.';
const PAID_BY_IT =
  'Its rows count as paid by it already, and stay so: resolve it with rows: owed. If the payee has nothing, have the caller pay it anew; ' +
  'if money moved twice, recover it.';
