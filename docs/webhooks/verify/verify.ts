// Tells a webhook of the payout gateway from anything else. Needs nothing but Node, 18 or newer.
import { createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Record<string, string | string[] | undefined>;

export class InvalidWebhook extends Error {}

/**
 * Throws InvalidWebhook unless the gateway sent this.
 * rawBody: the bytes that were received, before anything parsed them.
 * headers: those of a request of node:http, Express or Fastify; Object.fromEntries(headers) of a fetch Request.
 * secrets: your signing secret, or all that may be in use while it is rotated. now: Unix seconds.
 */
export function verifyWebhook(
  rawBody: Uint8Array,
  headers: Headers,
  secrets: string | string[],
  now = Math.floor(Date.now() / 1000),
): void {
  const timestamp = onlyOne(headers, 'x-gw-timestamp');
  if (!/^[0-9]{10}$/.test(timestamp)) throw new InvalidWebhook('x-gw-timestamp is missing or malformed');
  if (Math.abs(now - Number(timestamp)) > 300) throw new InvalidWebhook('x-gw-timestamp is over 300 seconds away');
  const signature = onlyOne(headers, 'x-gw-signature');
  if (!/^[0-9a-f]{64}$/i.test(signature)) throw new InvalidWebhook('x-gw-signature is missing or malformed');
  const given = Buffer.from(signature, 'hex');
  // An empty secret is one that was not configured: anybody can sign with it.
  const keys = [secrets].flat().filter((secret) => secret !== '');
  const matches = keys.map((key) =>
    timingSafeEqual(given, createHmac('sha256', key).update(`${timestamp}.`).update(rawBody).digest()),
  );
  if (!matches.includes(true)) throw new InvalidWebhook('x-gw-signature does not match');
}

/** The value of a header that came exactly once, else nothing: of two, nobody knows which was signed. */
function onlyOne(headers: Headers, name: string): string {
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  return values.length === 1 ? (values[0] ?? '') : '';
}
