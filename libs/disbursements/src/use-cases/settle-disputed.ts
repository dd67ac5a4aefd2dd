/**
 * What becomes of the rows of a payout that ended here, and whose money moved after all, once an operator looked into it:
 * they stay owed and may leave again, or they count as paid.
 */
import { Injectable } from '@nestjs/common';
import { BalanceBook } from '#libs/balances';
import { Jobs } from '#libs/jobs';
import type { Payout } from '#libs/payouts';
import { DisbursementStore } from '../db/disbursement.store';

export const DISPUTED_ROWS = ['owed', 'paid'] as const;
export type DisputedRows = (typeof DISPUTED_ROWS)[number];

@Injectable()
export class SettleDisputed {
  constructor(
    private readonly store: DisbursementStore,
    private readonly balances: BalanceBook,
    private readonly jobs: Jobs,
  ) {}

  /** Part of a transaction that holds the payee's lock. Returns how many rows were settled. */
  async run({ id, payeeId, clientId }: Payout, rows: DisputedRows): Promise<number> {
    if (rows === 'owed') {
      await this.jobs.add([{ name: 'owed.release', entityId: payeeId, lane: clientId }]);
      return 0;
    }
    const paid = await this.store.payOwed(id);
    await this.balances.move(
      paid.map(({ currency, cents }) => ({
        ...{ payeeId, currency, cents },
        ...({ from: 'withdrawableCents', to: 'landedCents' } as const),
      })),
    );
    return paid.reduce((sum, { count }) => sum + count, 0);
  }
}
