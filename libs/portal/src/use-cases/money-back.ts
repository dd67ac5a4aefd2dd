/** Where the money of a failed payment is, as far as its payee can do something about it. */
import { Injectable } from '@nestjs/common';
import { BalanceBook } from '#libs/balances';
import { ForeseeWithdrawal } from '#libs/disbursements';
import { type CameBack, cameBack } from '../came-back';
import { withdrawableOf } from './read-wallet';
import type { ClaimVisit } from './visit-claim';

@Injectable()
export class MoneyBack {
  constructor(
    private readonly balances: BalanceBook,
    private readonly foresee: ForeseeWithdrawal,
  ) {}

  /** null: it goes on, or paid nothing that is owed again. */
  async of({ stage, payout, payee, client, isServed }: ClaimVisit): Promise<CameBack | null> {
    if (stage !== 'over' && stage !== 'held') return null;
    const balances = await this.balances.allOf(payee.id);
    const { against } = await this.foresee.run(client, payee, withdrawableOf(balances));
    return cameBack(payout, balances, payee.payable && isServed && against === null);
  }
}
