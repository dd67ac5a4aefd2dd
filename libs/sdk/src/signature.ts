/**
 * The signatures of the contract, written out here so that the package needs nothing of the gateway's. The specs hold them
 * against the gateway's own.
 */
import { createHash, createHmac } from 'node:crypto';

/** Of an event: `{timestamp}.{rawBody}`. */
export function signatureOfEvent(secret: string, timestamp: string, body: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** Of an event as Standard Webhooks has it; its key is what the secret holds behind its prefix. */
export function standardSignatureOfEvent(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Of a request, version 2: its lines say where it goes and what it carries. */
export function signatureOfRequest(secret: string, lines: string[], body: string): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', secret)
    .update([...lines, bodyHash].join('\n'))
    .digest('hex');
}
