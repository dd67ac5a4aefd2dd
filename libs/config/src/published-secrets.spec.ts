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
  '3141592653589793238462643383279502884197169399375105820974944592',
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5',
  '6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19',
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d',
  '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
])('the key %s, which anybody can look up, is no secret', (key) =>
  expect([isMadeUpKey(key), isMadeUpToken(key)]).toEqual([true, true]),
);

test.each([
  ['a sentence in base64', Buffer.from('this is my operator token for prod').toString('base64')],
  ['a sentence in base64 of addresses', Buffer.from('this is my operator token for prod').toString('base64url')],
  ['a sentence in hex', Buffer.from('this is my operator token for prod').toString('hex')],
  ['two rows of a keyboard, in turns', '1q2w3e4r5t6y7u8i9o0p1q2w3e4r5t6y7u8i'],
  ['the same from the other row on', 'q1w2e3r4t5y6u7i8o9p0q1w2e3r4t5y6u7i8'],
  ['rows of a keyboard from their end', 'poiuytrewqlkjhgfdsamnbvcxz0987654321'],
  ['the digits of e', '2718281828459045235360287471352662'],
  ['what programmers write in hex', 'deadbeefcafebabedeadc0debaadf00d'],
  ['pi', '3141592653589793238462643383279502884197'],
])('%s is no token', (_, token) => expect(isMadeUpToken(token)).toBe(true));

test.each(['dev', 'abc', 'master_key', 'Master-Key', 'MASTER_KEY\n', 'payout gateway', 'supersecret', '123456789'])(
  'what sha256 makes of %j is no secret, in hex or in base64',
  (word) => {
    const digest = createHash('sha256').update(word).digest();
    expect(isMadeUpKey(digest.toString('hex'))).toBe(true);
    for (const text of ['hex', 'base64', 'base64url'] as const) expect(isMadeUpToken(digest.toString(text))).toBe(true);
    expect(isMadeUpToken(digest.toString('base64').replace('=', ''))).toBe(true);
  },
);
