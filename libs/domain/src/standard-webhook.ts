/** The Standard Webhooks signature, so that off-the-shelf verifiers accept our events with the same secret. */
import { createHmac } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

export function standardWebhookSignature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
