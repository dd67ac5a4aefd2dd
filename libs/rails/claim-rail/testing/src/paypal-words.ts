/** What the simulated PayPal says, in the words of its published schema. */
import type { SandboxAnswer } from '#libs/provider-sandbox';
import type { PaypalPayment } from './paypal-books';

const WHOLE = new Set(['JPY', 'HUF', 'TWD']);
const digitsOf = (currency: string): number => (WHOLE.has(currency) ? 0 : 2);

/** null: no amount that PayPal takes in this currency. */
export function unitsOf(value: unknown, currency: string): number | null {
  const digits = digitsOf(currency);
  const pattern = digits === 0 ? /^[0-9]{1,15}$/ : /^[0-9]{1,13}(\.[0-9]{1,2})?$/;
  if (typeof value !== 'string' || !pattern.test(value)) return null;
  const [whole = '', fraction = ''] = value.split('.');
  return Number(whole + fraction.padEnd(digits, '0'));
}

export function moneyOf(units: number, currency: string): { currency: string; value: string } {
  const digits = digitsOf(currency);
  const text = String(units).padStart(digits + 1, '0');
  return { currency, value: digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}` };
}

export function problem(status: number, name: string, more: object = {}): SandboxAnswer {
  return { status, body: { name, message: `${name.toLowerCase().replace(/_/g, ' ')}.`, debug_id: 'd3bu9', ...more } };
}

export function batchHeader(payment: PaypalPayment, status = batchStatus(payment)): object {
  return {
    payout_batch_id: payment.batchId,
    batch_status: status,
    time_created: payment.createdAt,
    sender_batch_header: {
      sender_batch_id: payment.senderBatchId,
      ...(payment.subject === null ? {} : { email_subject: payment.subject }),
    },
  };
}

/** What a list of one item shows; nothing of a batch that was not looked at yet. */
export function batchBody(payment: PaypalPayment, self: string): object {
  return {
    total_items: 1,
    total_pages: 1,
    batch_header: {
      ...batchHeader(payment),
      amount: moneyOf(payment.units, payment.currency),
      fees: moneyOf(payment.feeUnits, payment.currency),
    },
    items: payment.status === 'PENDING' || payment.status === 'DENIED' ? [] : [itemBody(payment)],
    links: [{ href: self, rel: 'self', method: 'GET' }],
  };
}

export function itemBody(payment: PaypalPayment): object {
  return {
    payout_item_id: payment.itemId,
    payout_batch_id: payment.batchId,
    ...(payment.transactionId === null ? {} : { transaction_id: payment.transactionId }),
    ...(payment.status === 'DENIED' ? {} : { transaction_status: payment.status }),
    payout_item_fee: moneyOf(payment.feeUnits, payment.currency),
    payout_item: {
      recipient_type: 'EMAIL',
      amount: moneyOf(payment.units, payment.currency),
      receiver: payment.receiver,
      sender_item_id: payment.senderItemId,
      recipient_wallet: 'PAYPAL',
    },
    ...(payment.processedAt === null ? {} : { time_processed: payment.processedAt }),
    ...(payment.error === null ? {} : { errors: { name: payment.error, message: 'It failed.', debug_id: 'd3bu9' } }),
  };
}

export function itemDetails(payment: PaypalPayment): object {
  return { ...itemBody(payment), sender_batch_id: payment.senderBatchId };
}

export function batchStatus({ status }: PaypalPayment): string {
  return status === 'PENDING' || status === 'DENIED' ? status : 'SUCCESS';
}
