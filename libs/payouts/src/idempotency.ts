/** What makes two requests the same payment, and the code that makes the rail pay it once. */
import { createHash } from 'node:crypto';

export interface PaymentWish {
  payeeId: string;
  amountCents: number;
  currency: string;
  ref: string | null;
  reason: string | null;
}

export function fingerprintOf({ payeeId, amountCents, currency, ref, reason }: PaymentWish): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([payeeId, amountCents, currency, ref, reason]))
    .digest();
}

/**
 * Derived from what the caller sent, never from an id of ours: even a database restored from an old backup comes to the same
 * code, and the rail knows it.
 */
export function railKeyOf(deployment: string, clientId: string, idempotencyKey: string): string {
  return `gw${createHash('sha256')
    .update(JSON.stringify([deployment, clientId, idempotencyKey]))
    .digest('hex')
    .slice(0, 48)}`;
}
