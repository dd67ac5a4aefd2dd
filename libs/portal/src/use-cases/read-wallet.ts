/** What a payee sees of their money: what it comes to, what became of each payment, and where it goes. */
import { Injectable } from '@nestjs/common';
import { awaitsPayee, type Custody, isOurPage, noticeOf, OUR_PAGE, type PayeeNotice } from '#libs/domain';
import { type Balance, BalanceBook } from '#libs/balances';
import { ClaimLinks } from '#libs/claim-links';
import { type Payee, ReadReadiness } from '#libs/payees';
import { waitsForPayee } from '#libs/payout-rules';
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
  /** Where its payee goes on with it, if there is something for them to do. */
  onward: { kind: 'claim' | 'send_on'; to: string } | null;
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
    private readonly links: ClaimLinks,
  ) {}

  async run({ client, payee: { id } }: Owner): Promise<Wallet> {
    const [{ payee, method }, balances, payouts] = await Promise.all([
      this.readiness.run(client, id),
      this.balances.allOf(id),
      this.payouts.list({ clientId: client.id, payeeId: id }, SHOWN),
    ]);
    const custody = this.rails.traits(payee.provider)?.custody ?? null;
    const payments = payouts.slice(0, SHOWN).map((payout) => this.paymentOf(payout));
    return { payee, balances, payments, account: method?.details ?? null, custody };
  }

  private paymentOf(payout: ListedPayout): Payment {
    const { amountCents, currency, createdAt, settledAt, statusReason } = payout;
    const state = stateOf(payout);
    const saysWhy = state === 'held' || state === 'not_paid' || state === 'returned';
    const notice = saysWhy ? noticeOf(statusReason) : null;
    return { amountCents, currency, state, notice, onward: this.onwardOf(payout), at: settledAt ?? createdAt };
  }

  private onwardOf(payout: ListedPayout): Payment['onward'] {
    const { id, custody, claimUrl } = payout;
    if (!waitsForPayee(payout)) return null;
    if (custody === 'swap' && isOurPage(claimUrl)) return { kind: 'send_on', to: `/portal/payments/${id}` };
    return { kind: 'claim', to: this.links.shown(claimUrl, id) ?? '' };
  }
}

function stateOf({ status, custody, claimedAt, claimUrl }: ListedPayout): PaymentState {
  switch (status) {
    case 'requested':
    case 'authorized':
      return 'on_the_way';
    case 'submitted':
      if (claimUrl === OUR_PAGE.soon) return 'on_the_way';
      return awaitsPayee({ custody, claimed: claimedAt !== null }) ? 'waiting' : 'on_the_way';
    case 'failed':
      return 'not_paid';
    default:
      return status;
  }
}
