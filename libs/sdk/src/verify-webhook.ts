/** Tells events of the gateway from anything else that reaches a webhook URL. */
import {
  type Clock,
  insideWindow,
  parseSignature,
  parseTimestamp,
  sameBytes,
  signV1,
  systemClock,
  unixSeconds,
} from '#libs/domain';
import type { GatewayEvent } from './events';

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

/**
 * Answers the event, or throws InvalidWebhook. `rawBody` is what was received, before anything parsed it; `secrets` are
 * all that may be in use, which while one is rotated are two.
 */
export function verifyWebhook(
  rawBody: Buffer | string,
  headers: WebhookHeaders,
  secrets: string | string[],
  clock: Clock = systemClock,
): GatewayEvent {
  const timestamp = headerOf(headers, 'x-gw-timestamp');
  const seconds = parseTimestamp(timestamp);
  if (timestamp === undefined || seconds === null) throw new InvalidWebhook('x-gw-timestamp is missing or malformed.');
  if (!insideWindow(seconds, unixSeconds(clock)))
    throw new InvalidWebhook('x-gw-timestamp is more than 300 seconds away. Check the clock of this machine.');
  const given = parseSignature(headerOf(headers, 'x-gw-signature'));
  if (!given) throw new InvalidWebhook('x-gw-signature is missing or malformed.');
  // Every secret is tried, so that the time taken says nothing about which one matched.
  const matches = [secrets].flat().map((secret) => sameBytes(given, signV1(secret, timestamp, rawBody)));
  if (!matches.includes(true))
    throw new InvalidWebhook('x-gw-signature does not match. Verify the raw bytes, with the secret of this client.');
  return JSON.parse(rawBody.toString()) as GatewayEvent;
}

/** A header that came twice counts as missing: nobody knows which one was signed. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const value = found.length === 1 ? found[0]?.[1] : undefined;
  return typeof value === 'string' ? value : undefined;
}
