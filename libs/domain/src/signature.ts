/**
 * The signature scheme of requests and events: hex HMAC-SHA256 over `{timestamp}.{rawBody}` (version 1),
 * and over method, path and body hash with a nonce (version 2). Compared as bytes, in constant time.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const WINDOW_SECONDS = 300;

const TIMESTAMP = /^[1-9][0-9]{9}$/;
const SIGNATURE = /^[0-9a-fA-F]{64}$/;
const NONCE = /^[A-Za-z0-9_-]{16,128}$/;

export interface SignedRequest {
  timestamp: string;
  nonce: string;
  method: string;
  /** Path with its query, as sent. */
  target: string;
  body: Buffer;
}

export function parseTimestamp(text: string | undefined): number | null {
  return text !== undefined && TIMESTAMP.test(text) ? Number(text) : null;
}

export function parseSignature(text: string | undefined): Buffer | null {
  return text !== undefined && SIGNATURE.test(text) ? Buffer.from(text, 'hex') : null;
}

export const isNonce = (text: string | undefined): text is string => text !== undefined && NONCE.test(text);

export function insideWindow(timestamp: number, nowSeconds: number): boolean {
  return Math.abs(nowSeconds - timestamp) <= WINDOW_SECONDS;
}

export function signV1(secret: string, timestamp: string, body: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

export function signV2(secret: string, request: SignedRequest): Buffer {
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  const text = [request.timestamp, request.nonce, request.method, request.target, bodyHash].join('\n');
  return createHmac('sha256', secret).update(text).digest();
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
