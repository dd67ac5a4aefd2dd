/**
 * Says what is wrong with a request's signature, so that it can be put right. It goes by what was sent and by the time, and by nothing that
 * is known of the client: somebody who tries secrets learns only that one is wrong.
 */
import { insideWindow, isNonce, parseSignature, parseTimestamp, WINDOW_SECONDS } from '#libs/domain';
import { type GatewayRequest, singleHeader } from '#libs/http-kit';

/** null: it is good. */
export function timestampTrouble(request: GatewayRequest, nowSeconds: number): string | null {
  const given = singleHeader(request, 'x-gw-timestamp');
  const timestamp = parseTimestamp(given);
  if (timestamp !== null && insideWindow(timestamp, nowSeconds)) return null;
  const told = `The server's time is ${nowSeconds}: send the time like that, and sign again.`;
  if (given === undefined) return `x-gw-timestamp is missing or sent twice. ${told}`;
  if (timestamp === null) return `x-gw-timestamp is not the Unix time in whole seconds. ${told}`;
  return `x-gw-timestamp is more than ${WINDOW_SECONDS} seconds from the server's time. ${told}`;
}

export function signatureAdvice(request: GatewayRequest, version: 1 | 2): string {
  return (version === 2 ? headersOfV2(request) : headerOfV1(request)).join(' ') || MISMATCH[version];
}

const headerOfV1 = (request: GatewayRequest): string[] => signatureTrouble(request, 'x-gw-signature');

function headersOfV2(request: GatewayRequest): string[] {
  const nonce = singleHeader(request, 'x-gw-nonce');
  const trouble =
    nonce === undefined ? 'is missing.' : 'must be 16 to 128 letters, digits, - or _, new for each request.';
  return [...signatureTrouble(request, 'x-gw-signature-v2'), ...(isNonce(nonce) ? [] : [`x-gw-nonce ${trouble}`])];
}

function signatureTrouble(request: GatewayRequest, name: string): string[] {
  const given = singleHeader(request, name);
  if (given === undefined) return [`${name} is missing.`];
  return parseSignature(given) ? [] : [`${name} must be an HMAC-SHA256 in 64 hex digits.`];
}

const MISMATCH = {
  1: 'The signature does not match: check the secret, and that `{timestamp}.{rawBody}` is signed as it is sent.',
  2: 'The signature does not match: check the secret, and that method, path with query, and body are signed as they are sent.',
};
