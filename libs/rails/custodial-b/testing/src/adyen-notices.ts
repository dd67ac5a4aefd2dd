/** What the simulated Adyen tells by itself, signed as Adyen signs: over the bytes of the body, with a key in hex. */
import { createHmac } from 'node:crypto';
import type { Notice } from '#libs/provider-sandbox';

export function signed(said: object, hmacKey: string): Notice {
  const body = JSON.stringify(said);
  const signature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(body).digest('base64');
  const headers = { 'content-type': 'application/json', hmacsignature: signature, protocol: 'HmacSHA256' };
  return { body, headers };
}

/** Signed, but not for these words. */
export const forged = ({ body, headers }: Notice): Notice => ({
  body: body.replace('"environment":"test"', '"environment":"live"'),
  headers,
});
