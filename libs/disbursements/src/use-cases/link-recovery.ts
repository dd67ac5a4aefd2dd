/**
 * Repairs the ledger after a payout of owed rows failed and the money went out as another payout: the rows are attached to
 * that one and follow it. Nothing is paid, and no rail is called.
 */
import { Injectable } from '@nestjs/common';
import { Refusal, rowStatusOf } from '#libs/domain';
import { BalanceBook } from '#libs/balances';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { type Disbursement, DisbursementBook } from '#libs/owed';
import { changeOf, type Payout, withFacts } from '#libs/payout-rules';
import { ChangePayout, PayoutReads } from '#libs/payouts';

export interface Link {
  replacementTransactionId: string;
  disbursementIds: string[];
}

@Injectable()
export class LinkRecovery {
  constructor(
    private readonly change: ChangePayout,
    private readonly payouts: PayoutReads,
    private readonly store: DisbursementBook,
    private readonly balances: BalanceBook,
    private readonly drift: DriftReads,
  ) {}

  /** Returns whether the rows were linked already. */
  async run(client: Client, link: Link): Promise<{ idempotentReplay: boolean }> {
    const known = await this.payouts.findOf(client.id, link.replacementTransactionId);
    if (!known) throw new Refusal('replacement_transaction_not_found', 'There is no such payout.');
    return this.change.withPayees([known.payeeId], () => this.linked(client, known.id, link));
  }

  private async linked(client: Client, id: string, { disbursementIds }: Link): Promise<{ idempotentReplay: boolean }> {
    const earlier = await this.store.transactionsOf(client.id, disbursementIds);
    const locked = await this.payouts.lockAll([id, ...earlier]);
    const replacement = locked.find((payout) => payout.id === id) as Payout;
    const rows = await this.store.lockAll(client.id, disbursementIds);
    if (rows.length < disbursementIds.length)
      throw new Refusal('disbursement_not_found', 'At least one of the disbursements does not exist.');
    if (isReplay(rows, replacement)) return { idempotentReplay: true };
    refuse(rows, replacement);
    await this.refuseDisputed(rows, replacement);
    await this.attach(rows, replacement);
    return { idempotentReplay: false };
  }

  private async refuseDisputed(rows: Disbursement[], { id: replacementId, payeeId }: Payout): Promise<void> {
    const disputed = await this.drift.disputedOf(payeeId);
    if (rows.some((row) => everOn(row).some((id) => disputed.has(id))))
      throw new Refusal('superseded_transaction_not_failed', DISPUTED);
    if (disputed.has(replacementId)) throw new Refusal('replacement_transaction_not_active', REPLACEMENT_DISPUTED);
  }

  private async attach(rows: Disbursement[], replacement: Payout): Promise<void> {
    const earlier = [...new Set(rows.flatMap(({ transactionId }) => transactionId ?? []))];
    await this.change.supersede(earlier, replacement.id);
    // No rail is called here; a job asks soon, and money that moved after all becomes drift.
    await this.change.askAbout(earlier);
    await this.change.update([withFacts(changeOf(replacement), { consolidates: true })]);
    const ids = rows.map(({ id }) => id);
    await this.store.link(ids, replacement.id, rowStatusOf(replacement.status));
    const { payeeId, currency, amountCents } = replacement;
    await this.balances.move([{ payeeId, currency, cents: amountCents, from: 'withdrawableCents' }]);
  }
}

const everOn = ({ transactionId, earlier }: Disbursement): string[] =>
  transactionId === null ? earlier : [...earlier, transactionId];

const REPLACEMENT_DISPUTED =
  'The rail and we disagree about the money of the replacement. The operator has to look first.';
const DISPUTED = 'The rail says that it moved money for a payout that a row was on. The operator has to look first.';

const isOn = ({ id }: Payout, { linked, transactionId, status }: Disbursement): boolean =>
  linked && transactionId === id && status !== 'owed';

const sumOf = (rows: Disbursement[]): number => rows.reduce((sum, { amountCents }) => sum + amountCents, 0);

function isReplay(rows: Disbursement[], replacement: Payout): boolean {
  return rows.every((row) => isOn(replacement, row)) && sumOf(rows) === replacement.amountCents;
}

/** In the documented order; the first that says no is the answer. */
function refuse(rows: Disbursement[], replacement: Payout): void {
  const { payeeId, currency, amountCents, status, consolidates } = replacement;
  if (rows.some((row) => row.status === 'released' && !row.linked))
    throw new Refusal('withdrawal_in_progress', 'A withdrawal of at least one of the rows is under way.');
  if (status !== 'submitted' && status !== 'paid')
    throw new Refusal('replacement_transaction_not_active', `The replacement is ${status}, not submitted or paid.`);
  if (rows.some((row) => row.payeeId !== payeeId || row.currency !== currency))
    throw new Refusal('recovery_link_mismatch', "The rows must have the replacement's payee and currency.");
  if (rows.some((row) => row.linked && row.status !== 'owed' && !isOn(replacement, row)))
    throw new Refusal('recovery_link_conflict', 'At least one of the rows is linked to another replacement.');
  if (rows.some((row) => !isOn(replacement, row) && (row.status !== 'owed' || row.transactionId === null)))
    throw new Refusal('superseded_transaction_not_failed', 'Each row must have been on a payout that failed.');
  if (sumOf(rows) !== amountCents)
    throw new Refusal(
      'recovery_link_amount_mismatch',
      `The rows come to ${sumOf(rows)} cents, the replacement to ${amountCents}.`,
    );
  if (consolidates) throw new Refusal('recovery_link_conflict', 'The replacement pays other rows already.');
}
