/**
 * The headers that make a request a signed one, by version 2 of the signature: its nonce lets equal requests be sent in the
 * same second, and it covers method and path. Version 1 is for callers that write it themselves.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock, unixSeconds } from './clock';
import { signatureOfRequest } from './signature';

export interface Credentials {
  apiKey: string;
  signingSecret: string;
}

export interface RequestToSign {
  method: string;
  /** Path and query exactly as sent, such as `/api/v1/payouts?limit=10`. */
  target: string;
  /** The exact text that is sent; empty if there is no body. */
  body: string;
}

export type SignedHeaders = Record<'authorization' | 'x-gw-timestamp' | 'x-gw-nonce' | 'x-gw-signature-v2', string>;

/** Sign right before sending, and again for every try: a signature is good once and for 300 seconds. */
export function signRequest(
  { apiKey, signingSecret }: Credentials,
  { method, target, body }: RequestToSign,
  clock: Clock = systemClock,
): SignedHeaders {
  const timestamp = String(unixSeconds(clock));
  const nonce = randomUUID();
  return {
    authorization: `Bearer ${apiKey}`,
    'x-gw-timestamp': timestamp,
    'x-gw-nonce': nonce,
    'x-gw-signature-v2': signatureOfRequest(signingSecret, [timestamp, nonce, method, target], body),
  };
}
