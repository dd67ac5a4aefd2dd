import type { GatewayRequest } from '#libs/http-kit';
import { signatureAdvice, timestampTrouble } from './signing-advice';

const NOW = 1_700_000_000;
const HEX = 'a'.repeat(64);
const NONCE = 'n'.repeat(16);

const sent = (headers: Record<string, string>): GatewayRequest =>
  ({ headers, rawHeaders: Object.entries(headers).flat() }) as unknown as GatewayRequest;

test.each<[Record<string, string>, string]>([
  [{}, 'x-gw-timestamp is missing or sent twice.'],
  [{ 'x-gw-timestamp': `${NOW}000` }, 'x-gw-timestamp is not the Unix time in whole seconds.'],
  [{ 'x-gw-timestamp': String(NOW - 301) }, "x-gw-timestamp is more than 300 seconds from the server's time."],
])('%j: %s', (headers, trouble) => {
  expect(timestampTrouble(sent(headers), NOW)).toBe(
    `${trouble} The server's time is ${NOW}: send the time like that, and sign again.`,
  );
});

test('a timestamp in the window is no trouble', () => {
  expect(timestampTrouble(sent({ 'x-gw-timestamp': String(NOW - 300) }), NOW)).toBeNull();
});

test.each<[1 | 2, Record<string, string>, string]>([
  [1, {}, 'x-gw-signature is missing.'],
  [1, { 'x-gw-signature': 'abc' }, 'x-gw-signature must be an HMAC-SHA256 in 64 hex digits.'],
  [1, { 'x-gw-signature': HEX }, 'The signature does not match: check the secret'],
  [2, { 'x-gw-signature': HEX }, 'x-gw-signature-v2 is missing. x-gw-nonce is missing.'],
  [2, { 'x-gw-signature-v2': HEX }, 'x-gw-nonce is missing.'],
  [2, { 'x-gw-signature-v2': HEX, 'x-gw-nonce': 'short' }, 'x-gw-nonce must be 16 to 128 letters'],
  [2, { 'x-gw-signature-v2': 'abc', 'x-gw-nonce': NONCE }, 'x-gw-signature-v2 must be an HMAC-SHA256'],
  [2, { 'x-gw-signature-v2': HEX, 'x-gw-nonce': NONCE }, 'check the secret, and that method, path with query'],
])('version %d with %j: %s', (version, headers, advice) => {
  expect(signatureAdvice(sent(headers), version)).toContain(advice);
});
