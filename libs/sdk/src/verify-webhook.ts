/** Tells events of the gateway from anything else that reaches a webhook URL. */
import { timingSafeEqual } from 'node:crypto';
import type { GatewayEvent } from './api-types';
import { type Clock, systemClock, unixSeconds } from './clock';
import { signatureOfEvent, standardSignatureOfEvent } from './signature';

const WINDOW_SECONDS = 300;
const TIMESTAMP = /^[1-9][0-9]{9}$/;
const SIGNATURE = /^[0-9a-fA-F]{64}$/;
/** Without a dot, which parts what is signed. */
const EVENT_ID = /^[\w-]{1,64}$/;
const STANDARD_SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;
/** At least 24 bytes: of a secret of another form little or nothing would be left, and anybody could sign with that. */
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** The headers of a fetch Request, of whichever library, or the record of node:http, Express and Fastify. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

export class InvalidWebhook extends Error {
  override readonly name = 'InvalidWebhook';
}

/**
 * Returns the event, or throws InvalidWebhook. `rawBody` is what was received, before anything parsed it; `secrets` are
 * all that may be in use, which while one is rotated are two. Either signature will do: `x-gw-signature` is by the newest
 * secret alone, `webhook-signature` by each that is in use, so that who knows only the old one can tell too.
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secrets: string | string[],
  clock: Clock = systemClock,
): GatewayEvent {
  const body = bytesOf(rawBody);
  const now = unixSeconds(clock);
  if (!isSignedByStandard(body, headers, [secrets].flat(), now)) expectSigned(body, headers, secrets, now);
  return eventOf(body);
}

function expectSigned(body: Buffer, headers: WebhookHeaders, secrets: string | string[], now: number): void {
  const timestamp = headerOf(headers, 'x-gw-timestamp');
  if (timestamp === undefined || !TIMESTAMP.test(timestamp))
    throw new InvalidWebhook('x-gw-timestamp is missing or malformed.');
  if (!isNear(timestamp, now))
    throw new InvalidWebhook('x-gw-timestamp is more than 300 seconds away. Check the clock of this machine.');
  const signature = headerOf(headers, 'x-gw-signature');
  if (signature === undefined || !SIGNATURE.test(signature))
    throw new InvalidWebhook('x-gw-signature is missing or malformed.');
  const given = Buffer.from(signature, 'hex');
  // Every secret is tried, so that the time taken says nothing about which one matched.
  const matches = configured(secrets).map((secret) =>
    timingSafeEqual(given, signatureOfEvent(secret, timestamp, body)),
  );
  if (!matches.includes(true))
    throw new InvalidWebhook('x-gw-signature does not match. Verify the raw bytes, with the secret of this client.');
}

/** By its own headers alone, the timestamp too: what one signature covers says nothing for the other. */
function isSignedByStandard(body: Buffer, headers: WebhookHeaders, secrets: string[], now: number): boolean {
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!EVENT_ID.test(id) || !TIMESTAMP.test(timestamp) || !isNear(timestamp, now)) return false;
  const given = signatures.split(' ').flatMap((each) => decoded(STANDARD_SIGNATURE, each));
  const keys = secrets.flatMap((secret) => decoded(STANDARD_SECRET, secret));
  // Each against each, as above.
  const matches = keys.flatMap((key) => {
    const expected = standardSignatureOfEvent(key, id, timestamp, body);
    return given.map((each) => timingSafeEqual(each, expected));
  });
  return matches.includes(true);
}

const isNear = (timestamp: string, now: number): boolean => Math.abs(now - Number(timestamp)) <= WINDOW_SECONDS;

/** The base64 in a text of that form; nothing of any other. */
function decoded(form: RegExp, text: string): Buffer[] {
  const [, base64] = form.exec(text) ?? [];
  return base64 === undefined ? [] : [Buffer.from(base64, 'base64')];
}

/** A body that something parsed already is a mistake in the code that calls, not in the webhook. */
function bytesOf(rawBody: unknown): Buffer {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (rawBody instanceof Uint8Array) return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError('verifyWebhook needs the bytes that were received, not what was parsed from them.');
}

/** Anybody can sign with an empty secret: it is a setting that was left out, not a secret. */
function configured(secrets: string | string[]): string[] {
  const found = [secrets].flat().filter((secret) => secret !== '');
  if (found.length === 0) throw new InvalidWebhook('There is no signing secret to verify with.');
  return found;
}

/** A header that came twice counts as missing: nobody knows which one was signed. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  return values.length === 1 ? values[0] : undefined;
}

/** Not instanceof: there are as many Headers as there are libraries for fetch. */
function hasGet(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function eventOf(body: Buffer): GatewayEvent {
  try {
    return JSON.parse(body.toString()) as GatewayEvent;
  } catch {
    throw new InvalidWebhook('The body was signed, but it is no JSON.');
  }
}
