/** Production starts with no secret that stands in a specification, or is the digest of a common word. */
import { createHash, createHmac } from 'node:crypto';
import { isMadeUpKey, isMadeUpToken } from './made-up';

const jwt = (claims: object, key: string): string => {
  const written = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${written.join('.')}.${createHmac('sha256', key).update(written.join('.')).digest('base64url')}`;
};

test.each([
  '550e8400-e29b-41d4-a716-446655440000',
  '550E8400E29B41D4A716446655440000',
  '123e4567-e89b-12d3-a456-426614174000',
  'gw_op_f47ac10b-58cc-4372-a567-0e02b2c3d479',
  jwt({ sub: '1234567890', name: 'John Doe', iat: 1516239022 }, 'your-256-bit-secret'),
  jwt({ sub: '1234567890', name: 'John Doe', admin: true, iat: 1516239022 }, 'another'),
])('%s is no token', (token) => expect(isMadeUpToken(token)).toBe(true));

test.each([
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
  '603DEB1015CA71BE2B73AEF0857D77811F352C073B6108D72D9810A30914DFF4',
])('the key %s of the test vectors of NIST is no secret', (key) =>
  expect([isMadeUpKey(key), isMadeUpToken(key)]).toEqual([true, true]),
);

test.each(['dev', 'abc', 'master_key', 'Master-Key', 'MASTER_KEY\n', 'payout gateway', 'supersecret', '123456789'])(
  'what sha256 makes of %j is no secret, in hex or in base64',
  (word) => {
    const digest = createHash('sha256').update(word).digest();
    expect(isMadeUpKey(digest.toString('hex'))).toBe(true);
    for (const text of ['hex', 'base64', 'base64url'] as const) expect(isMadeUpToken(digest.toString(text))).toBe(true);
    expect(isMadeUpToken(digest.toString('base64').replace('=', ''))).toBe(true);
  },
);
