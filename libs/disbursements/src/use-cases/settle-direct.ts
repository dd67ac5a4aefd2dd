/** The same of a payout that the caller made itself: no owed rows hang on it, only its own money and what the books say of it. */
import { Injectable } from '@nestjs/common';
import { isFinal, Refusal } from '#libs/domain';
import { cameBack, type Drift } from '#libs/drift';
import type { DisputedRows } from '#libs/owed';
import type { Payout } from '#libs/payout-rules';
import { ChangePayout, PayoutReads } from '#libs/payouts';
import { LandDisputed } from './land-disputed';

@Injectable()
export class SettleDirect {
  constructor(
    private readonly change: ChangePayout,
    private readonly reads: PayoutReads,
    private readonly landing: LandDisputed,
  ) {}

  /** Part of a transaction that holds the locks of the payout and its payee. */
  run(payout: Payout, drift: Drift, rows: DisputedRows): Promise<void> {
    return rows === 'paid' ? this.paid(payout, drift) : this.notPaid(payout, drift);
  }

  private async paid(payout: Payout, drift: Drift): Promise<void> {
    // A payout that failed only for now, or is under way, becomes paid.
    if (await this.change.foundPaid(payout, drift.providerRef)) return;
    refuseUnended(payout);
    if (!(await this.reads.hasLanded(payout.id))) {
      await this.landing.run(payout, payout.amountCents, drift);
      await this.change.foundOut(payout, 'found_landed');
    } else if (!cameBack(drift)) throw new Refusal('illegal_transition', LANDED);
  }

  /** Its caller makes a new payout, as after any that failed. */
  private async notPaid(payout: Payout, drift: Drift): Promise<void> {
    if (payout.status !== 'failed' || !cameBack(drift) || !(await this.reads.hasLanded(payout.id))) return;
    await this.change.foundOut(payout, 'found_returned');
    await this.landing.back(payout, payout.amountCents, drift);
  }
}

function refuseUnended({ status, failureKind, supersededBy, prepaid }: Payout): void {
  if (status === 'paid' || status === 'returned')
    throw new Refusal(
      'illegal_transition',
      `The payout is ${status} already. Resolve this without rows: paid.${status === 'returned' && prepaid ? IN_THE_WALLET : ''}`,
    );
  if (supersededBy === null && !isFinal(status, failureKind))
    throw new Refusal('illegal_transition', `The payout is ${status} and was never sent. Fail it first.`);
}

const IN_THE_WALLET =
  ' Its client has that money in the wallet again: if its payee keeps what is out, charge the wallet with `gw wallet adjust`.';

const LANDED = 'An operator called it paid already. Resolve it without rows: paid, and recover what moved twice.';
