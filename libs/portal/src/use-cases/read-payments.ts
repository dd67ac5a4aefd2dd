/** How each payment to a payee stands, newest first, in words that do not mention rails. */
import { Injectable } from '@nestjs/common';
import { awaitsPayee, type Custody, isOurPage, type ListPlace, type PayeeNotice } from '#libs/domain';
import { ClaimLinks } from '#libs/claim-links';
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { isWithdrawal } from '#libs/disbursements';
import { pageOf } from '#libs/http-kit';
import { goesOnByItself, isAskedAgain, isPaidAfterAll, lacksRailFunds, waitsForPayee } from '#libs/payout-rules';
import { type ListedPayout, PayoutReads } from '#libs/payouts';
import { Rails } from '#libs/rail-registry';
import { isKept, noticeTo } from '../notice-about';
import { checksPayees } from './checks-payees';
import { isServed } from './set-up-step';
import type { Owner } from './visit-portal';

/** tried_again: it failed, and the service itself tries it again. */
export type PaymentState = 'on_the_way' | 'waiting' | 'paid' | 'held' | 'tried_again' | 'not_paid' | 'returned';

const SAYS_WHY: ReadonlySet<PaymentState> = new Set(['held', 'tried_again', 'not_paid', 'returned']);

export interface Onward {
  /** how: at its rail, of which a page of ours tells. */
  kind: 'claim' | 'how' | 'claim_again' | 'send_on' | 'go_on';
  to: string;
}

export interface Payment extends Pick<ListedPayout, 'consolidates' | 'supersededBy'> {
  amountCents: number;
  currency: string;
  /** The caller's reference for it, unless that is a sentence. */
  ref: string | null;
  state: PaymentState;
  /** null: nobody knows yet how it goes. */
  custody: Custody | null;
  notice: PayeeNotice | null;
  /** Held as it is, nobody has to send it: once its cause is gone it goes on by itself. */
  goesOn: boolean;
  /** Where its payee goes on with it, if there is something for them to do. */
  onward: Onward | null;
  /** Nothing was sent to the address that its payee gave last. */
  isAskedAgain: boolean;
  at: Date;
  /** When their own withdrawal made it; null: it is none. Those of one withdrawal have the same. */
  withdrawnAt: Date | null;
  /** When it should be in their account, as a rule; null: nobody knows, or it is there. */
  arrival: { by: Date; isLate: boolean } | null;
}

/** What a list does not say. */
interface Known {
  isAskedAgain: boolean;
  isCalledPaid: boolean;
}

export interface Payments {
  payments: Payment[];
  /** Where those before these begin; null: there are none. */
  older: string | null;
}

const SHOWN = 20;
/** Nothing that reads as a sentence or opens as a link. */
const REFERENCE = /^[\p{L}\p{N}#_-]{1,24}$/u;
const DAY_MS = 86_400_000;

@Injectable()
export class ReadPayments {
  constructor(
    private readonly payouts: PayoutReads,
    private readonly rails: Rails,
    private readonly links: ClaimLinks,
    private readonly clock: DatabaseClock,
  ) {}

  /** The newest come after those that wait for their payee, however old these are. */
  async run(owner: Owner, after: ListPlace | null): Promise<Payments> {
    const { client, payee } = owner;
    const own = { clientId: client.id, payeeId: payee.id };
    const [waiting, listed] = await Promise.all([
      after ? [] : this.payouts.list({ ...own, waitsForPayee: true }, SHOWN),
      this.payouts.list({ ...own, after }, SHOWN),
    ]);
    const { data, nextCursor: older } = pageOf(listed, SHOWN, (payout) => payout);
    const first = waiting.slice(0, SHOWN);
    const firstIds = new Set(first.map(({ id }) => id));
    const shown = [...first, ...data.filter(({ id }) => !firstIds.has(id))];
    const [again, calledPaid] = await Promise.all([this.askedAgain(shown), this.calledPaid(shown)]);
    const payments = shown.map((payout) =>
      this.paymentOf(payout, owner, { isAskedAgain: again.has(payout.id), isCalledPaid: calledPaid.has(payout.id) }),
    );
    return { payments, older };
  }

  /** A list has no legs: of the few that wait for an address they are read. */
  private async askedAgain(payouts: ListedPayout[]): Promise<ReadonlySet<string>> {
    const waiting = payouts.filter((payout) => payout.custody === 'swap' && waitsForPayee(payout));
    const found = await Promise.all(waiting.map(({ id }) => this.payouts.find(id)));
    return new Set(found.flatMap((payout) => (payout && isAskedAgain(payout) ? payout.id : [])));
  }

  /** Of those only that their payee would be led to again. */
  private calledPaid(payouts: ListedPayout[]): Promise<ReadonlySet<string>> {
    const led = payouts.filter(({ status, provider }) => status === 'paid' && this.rails.leadsPayees(provider));
    return this.payouts.calledPaid(led.map(({ id }) => id));
  }

  private paymentOf(payout: ListedPayout, { client, payee }: Owner, { isAskedAgain, isCalledPaid }: Known): Payment {
    const { testMode, autoRelease } = client;
    const { amountCents, currency, custody, ref, createdAt, settledAt, consolidates, supersededBy } = payout;
    const state = isKept(payout, { client, payee }) ? 'held' : stateOf(payout, this.isSeenToArrive(payout));
    const notice = SAYS_WHY.has(state) ? noticeTo(payee.payable, payout, custody) : null;
    return {
      amountCents,
      currency,
      ref: ref !== null && REFERENCE.test(ref) ? ref : null,
      ...{ state, custody, consolidates, supersededBy },
      notice,
      goesOn: isServed(client, payee) && goesOnByItself({ ...payout, testMode }, autoRelease),
      onward: isCalledPaid ? null : this.onwardOf(payout, client),
      isAskedAgain,
      at: settledAt ?? createdAt,
      withdrawnAt: isWithdrawal(payout) ? createdAt : null,
      arrival: this.arrivalOf(payout, state),
    };
  }

  /** Its rail let it go, and tells later when it was there. Of some it never does: once it should be there they count as paid. */
  private isSeenToArrive({ provider, settledAt, updatedAt }: ListedPayout): boolean {
    const days = this.rails.traits(provider)?.arrivesWithinDays;
    return settledAt === null && days !== undefined && this.clock.now().getTime() < updatedAt.getTime() + days * DAY_MS;
  }

  /** Counted from its last news: that it was sent, or that its rail let it go. Before it was sent nobody can say. */
  private arrivalOf({ provider, status, settledAt, updatedAt }: ListedPayout, state: PaymentState): Payment['arrival'] {
    const isSent = (status === 'submitted' && state === 'on_the_way') || (status === 'paid' && settledAt === null);
    const days = this.rails.traits(provider)?.arrivesWithinDays;
    if (!isSent || days === undefined) return null;
    const by = new Date(updatedAt.getTime() + days * DAY_MS);
    return { by, isLate: by < this.clock.now() };
  }

  private onwardOf(payout: ListedPayout, client: Client): Onward | null {
    const { id, custody, claimUrl, provider, status } = payout;
    const to = `/portal/payments/${id}`;
    const isLed = this.rails.leadsPayees(provider);
    // A payee who was led there may not have finished.
    if (isLed && status === 'paid') return { kind: 'claim_again', to };
    if (!waitsForPayee(payout)) return null;
    if (isLed) return { kind: 'claim', to };
    if (custody === 'swap' && isOurPage(claimUrl)) {
      return { kind: checksPayees(client, this.rails.traits(provider)) ? 'go_on' : 'send_on', to };
    }
    return { kind: 'how', to: this.links.shown(claimUrl, id) ?? '' };
  }
}

function stateOf(payout: ListedPayout, isSeenToArrive: boolean): PaymentState {
  const { status, custody, claimedAt } = payout;
  switch (status) {
    case 'requested':
    case 'authorized':
      return 'on_the_way';
    case 'submitted':
      // Once they said where to, there is nothing more for them to do.
      return waitsForPayee(payout) && awaitsPayee({ custody, claimed: claimedAt !== null }) ? 'waiting' : 'on_the_way';
    case 'paid':
      return isSeenToArrive ? 'on_the_way' : 'paid';
    case 'failed':
      if (lacksRailFunds(payout)) return 'tried_again';
      return isPaidAfterAll(payout) ? 'paid' : 'not_paid';
    default:
      return status;
  }
}
