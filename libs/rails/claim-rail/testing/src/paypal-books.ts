/** What the simulated PayPal knows: balances, payments, and who has an account. Each rule of its money stands here. */
import { randomBytes } from 'node:crypto';

/** As PayPal counts: smallest units of its own decimals. */
export interface PaypalPayment {
  batchId: string;
  senderBatchId: string;
  subject: string | null;
  itemId: string;
  senderItemId: string;
  transactionId: string | null;
  receiver: string;
  units: number;
  feeUnits: number;
  currency: string;
  status: 'PENDING' | 'DENIED' | ItemStatus;
  /** Why it failed, or was denied. */
  error: string | null;
  createdAt: string;
  processedAt: string | null;
}
export type ItemStatus =
  'UNCLAIMED' | 'ONHOLD' | 'SUCCESS' | 'FAILED' | 'BLOCKED' | 'RETURNED' | 'REFUNDED' | 'REVERSED';

export interface PaypalState {
  accountId: string;
  /** Smallest units, by currency. What is not here is 0. */
  balances: Record<string, number>;
  /** What lies there as well, and is not available. Books of an earlier version have none. */
  withheld?: Record<string, number>;
  payments: PaypalPayment[];
  /** E-mail addresses that have an account: they are paid, all others have to claim. */
  registered: string[];
  /** Refused by their bank or by PayPal itself: the word that it fails with, by e-mail address. */
  failing: Record<string, string>;
  /** Where it tells what it has to tell. */
  noticesUrl: string | null;
}

export type NewPayment = Pick<
  PaypalPayment,
  'senderBatchId' | 'subject' | 'senderItemId' | 'receiver' | 'units' | 'currency'
>;

const KNOWN_AGAIN_MS = 30 * 86_400_000;
const CLAIMED_WITHIN_MS = 30 * 86_400_000;
const FEE_UNITS = 25;

export class PaypalBooks {
  constructor(
    private readonly state: PaypalState,
    private readonly changed: (payment: PaypalPayment) => void,
  ) {}

  /** The batch of before, if it was used within thirty days. */
  used(senderBatchId: string, now: Date): PaypalPayment | undefined {
    return this.state.payments.find(
      (payment) =>
        payment.senderBatchId === senderBatchId && now.getTime() - Date.parse(payment.createdAt) < KNOWN_AGAIN_MS,
    );
  }

  batch(batchId: string): PaypalPayment | undefined {
    return this.state.payments.find((payment) => payment.batchId === batchId);
  }

  item(itemId: string): PaypalPayment | undefined {
    return this.state.payments.find((payment) => payment.itemId === itemId);
  }

  balance(currency: string): number {
    return this.state.balances[currency] ?? 0;
  }

  take(asked: NewPayment, now: Date): PaypalPayment {
    const payment: PaypalPayment = {
      ...asked,
      ...{ batchId: numbered(), itemId: numbered(), transactionId: null, feeUnits: FEE_UNITS },
      ...{ status: 'PENDING', error: null, createdAt: now.toISOString(), processedAt: null },
    };
    this.state.payments.push(payment);
    return payment;
  }

  /** What waited to be processed for so long is, and what nobody claimed in time goes back. */
  catchUp(now: Date, processedAfterMs: number): void {
    for (const payment of this.state.payments) {
      const age = now.getTime() - Date.parse(payment.createdAt);
      if (payment.status === 'PENDING' && age >= processedAfterMs) this.process(payment, now);
      if (payment.status === 'UNCLAIMED' && age >= CLAIMED_WITHIN_MS) this.giveBack(payment, 'RETURNED', now);
    }
  }

  /** Somebody opened an account for the address, and the money went there. */
  claim(payment: PaypalPayment, now: Date): void {
    this.expect(payment, ['UNCLAIMED', 'ONHOLD'], 'claimed');
    this.becomes(payment, 'SUCCESS', now);
  }

  hold(payment: PaypalPayment, now: Date): void {
    this.expect(payment, ['UNCLAIMED'], 'held');
    this.becomes(payment, 'ONHOLD', now);
  }

  cancel(payment: PaypalPayment, now: Date): void {
    this.expect(payment, ['UNCLAIMED'], 'cancelled');
    this.giveBack(payment, 'RETURNED', now);
  }

  /** PayPal looked into what it held, and does not let it through. */
  block(payment: PaypalPayment, now: Date): void {
    this.expect(payment, ['ONHOLD'], 'blocked');
    this.giveBack(payment, 'BLOCKED', now);
  }

  /** The payee sent it back, or PayPal took it back. */
  comesBack(payment: PaypalPayment, status: 'REFUNDED' | 'REVERSED', now: Date): void {
    this.expect(payment, ['SUCCESS'], 'sent back');
    this.giveBack(payment, status, now);
  }

  payAfterAll(payment: PaypalPayment, now: Date): void {
    this.expect(payment, ['DENIED'], 'paid after all');
    this.pay(payment, 'SUCCESS', now);
  }

  private process(payment: PaypalPayment, now: Date): void {
    const { units, feeUnits, currency, receiver } = payment;
    if (this.balance(currency) < units + feeUnits) return this.deny(payment, now);
    const failure = this.state.failing[receiver];
    if (failure !== undefined) {
      payment.error = failure;
      return this.becomes(payment, failure === 'BLOCKED' ? 'BLOCKED' : 'FAILED', now);
    }
    this.pay(payment, this.state.registered.includes(receiver) ? 'SUCCESS' : 'UNCLAIMED', now);
  }

  private pay(payment: PaypalPayment, status: 'SUCCESS' | 'UNCLAIMED', now: Date): void {
    const { units, feeUnits, currency } = payment;
    this.state.balances[currency] = this.balance(currency) - units - feeUnits;
    payment.transactionId = numbered();
    this.becomes(payment, status, now);
  }

  private deny(payment: PaypalPayment, now: Date): void {
    payment.status = 'DENIED';
    payment.processedAt = now.toISOString();
    this.changed(payment);
  }

  private giveBack(payment: PaypalPayment, status: ItemStatus, now: Date): void {
    this.state.balances[payment.currency] = this.balance(payment.currency) + payment.units;
    this.becomes(payment, status, now);
  }

  private becomes(payment: PaypalPayment, status: ItemStatus, now: Date): void {
    payment.status = status;
    payment.processedAt = now.toISOString();
    this.changed(payment);
  }

  private expect(payment: PaypalPayment, from: PaypalPayment['status'][], what: string): void {
    if (!from.includes(payment.status)) throw new Error(`What is ${payment.status} cannot be ${what}.`);
  }
}

const numbered = (): string => randomBytes(7).toString('hex').slice(0, 13).toUpperCase();
