/** What the simulated PayPal tells by itself, signed as PayPal signs. */
import { createSign, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Notice } from '#libs/provider-sandbox';
import type { PaypalPayment } from './paypal-books';
import { SANDBOX_KEY } from './paypal-certificate';
import { batchHeader, itemBody } from './paypal-words';

const EVENTS: Record<PaypalPayment['status'], string> = {
  PENDING: 'PAYMENT.PAYOUTSBATCH.PROCESSING',
  DENIED: 'PAYMENT.PAYOUTSBATCH.DENIED',
  UNCLAIMED: 'PAYMENT.PAYOUTS-ITEM.UNCLAIMED',
  ONHOLD: 'PAYMENT.PAYOUTS-ITEM.HELD',
  SUCCESS: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
  FAILED: 'PAYMENT.PAYOUTS-ITEM.FAILED',
  BLOCKED: 'PAYMENT.PAYOUTS-ITEM.BLOCKED',
  RETURNED: 'PAYMENT.PAYOUTS-ITEM.RETURNED',
  REFUNDED: 'PAYMENT.PAYOUTS-ITEM.REFUNDED',
  REVERSED: 'PAYMENT.PAYOUTS-ITEM.REFUNDED',
};

export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-sandbox';

export function noticeOf(
  payment: PaypalPayment,
  now: Date,
  { webhookId, url }: { webhookId: string; url: string },
): Notice {
  const isBatch = payment.status === 'PENDING' || payment.status === 'DENIED';
  const body = JSON.stringify({
    id: `WH-${randomUUID()}`,
    event_version: '1.0',
    create_time: now.toISOString(),
    resource_type: isBatch ? 'payouts' : 'payouts_item',
    event_type: EVENTS[payment.status],
    summary: 'A payout changed.',
    resource: isBatch ? { batch_header: batchHeader(payment) } : itemBody(payment),
  });
  const [id, time] = [randomUUID(), now.toISOString()];
  const signature = createSign('RSA-SHA256')
    .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
    .sign(SANDBOX_KEY, 'base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': signature,
      'paypal-cert-url': url + CERTIFICATE_PATH,
      'paypal-auth-algo': 'SHA256withRSA',
    },
  };
}

/** Signed, but not for these words. */
export function forged({ body, headers }: Notice): Notice {
  return { body: body.replace('A payout changed.', 'A payout changed!'), headers };
}
