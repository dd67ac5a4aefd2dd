/** What a payee sees of their money: what it comes to, what became of each payment, and where it goes. */
import { Injectable } from '@nestjs/common';
import { type Custody, noticeOf, type PayeeNotice, awaitsPayee } from '#libs/domain';
import { type Balance, BalanceBook } from '#libs/balances';
import { type Payee, ReadReadiness } from '#libs/payees';
import { type ListedPayout, PayoutReads } from '#libs/payouts';
import type { AccountDetails } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import type { Owner } from './visit-portal';

export type PaymentState = 'on_the_way' | 'waiting' | 'paid' | 'held' | 'not_paid' | 'returned';

export interface Payment {
  amountCents: number;
  currency: string;
  state: PaymentState;
  notice: PayeeNotice | null;
  at: Date;
}

export interface Wallet {
  payee: Payee;
  balances: Balance[];
  payments: Payment[];
  /** What they recognise the account by that they are paid to. */
  account: AccountDetails | null;
  custody: Custody | null;
}

const SHOWN = 20;

@Injectable()
export class ReadWallet {
  constructor(
    private readonly balances: BalanceBook,
    private readonly payouts: PayoutReads,
    private readonly readiness: ReadReadiness,
    private readonly rails: Rails,
  ) {}

  async run({ client, payee: { id } }: Owner): Promise<Wallet> {
    const [{ payee, method }, balances, payouts] = await Promise.all([
      this.readiness.run(client, id),
      this.balances.allOf(id),
      this.payouts.list({ clientId: client.id, payeeId: id }, SHOWN),
    ]);
    const custody = this.rails.traits(payee.provider)?.custody ?? null;
    const payments = payouts.slice(0, SHOWN).map(paymentOf);
    return { payee, balances, payments, account: method?.details ?? null, custody };
  }
}

function paymentOf(payout: ListedPayout): Payment {
  const { amountCents, currency, createdAt, settledAt, statusReason } = payout;
  const state = stateOf(payout);
  const saysWhy = state === 'held' || state === 'not_paid' || state === 'returned';
  return { amountCents, currency, state, notice: saysWhy ? noticeOf(statusReason) : null, at: settledAt ?? createdAt };
}

function stateOf({ status, custody, claimedAt }: ListedPayout): PaymentState {
  switch (status) {
    case 'requested':
    case 'authorized':
      return 'on_the_way';
    case 'submitted':
      return awaitsPayee({ custody, claimed: claimedAt !== null }) ? 'waiting' : 'on_the_way';
    case 'failed':
      return 'not_paid';
    default:
      return status;
  }
}
