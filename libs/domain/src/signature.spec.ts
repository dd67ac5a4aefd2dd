import { createHmac } from 'node:crypto';
import { insideWindow, isNonce, parseSignature, parseTimestamp, sameBytes, signV1, signV2 } from './signature';

describe('signature', () => {
  const hex = 'ab'.repeat(32);

  test.each([
    '',
    '170000000',
    '17000000000',
    '1700000000.5',
    '1.7e9',
    '+1700000000',
    '0700000000',
    '0x65531000',
    '١٧٠٠٠٠٠٠٠٠',
    'NaN',
    '-170000000',
    ' 1700000000',
    '1700000000, 1700000000',
  ])('the timestamp %p is none', (text) => expect(parseTimestamp(text)).toBeNull());

  test.each([
    hex.slice(1),
    `${hex}a`,
    `${hex}zz`,
    `${hex} x`,
    `${hex.slice(2)}zz`,
    `sha256=${hex}`,
    Buffer.from(hex, 'hex').toString('base64'),
    '',
  ])('the signature %p is none', (text) => expect(parseSignature(text)).toBeNull());

  test('upper and lower case hex are the same bytes', () => {
    const [lower, upper] = [parseSignature(hex), parseSignature(hex.toUpperCase())];
    expect(sameBytes(lower as Buffer, upper as Buffer)).toBe(true);
  });

  test('bytes of different lengths differ and do not throw', () => {
    expect(sameBytes(Buffer.alloc(32), Buffer.alloc(31))).toBe(false);
  });

  test('the window is 300 seconds on both sides', () => {
    expect([-301, -300, 0, 300, 301].map((offset) => insideWindow(1_700_000_000 + offset, 1_700_000_000))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test('version 1 is the HMAC of timestamp, dot and body', () => {
    const expected = createHmac('sha256', 's').update('1700000000.{"a":1}').digest();
    expect(signV1('s', '1700000000', Buffer.from('{"a":1}'))).toEqual(expected);
  });

  test('version 2 covers method, path, query, nonce and body', () => {
    const request = {
      timestamp: '1700000000',
      nonce: 'n'.repeat(16),
      method: 'POST',
      target: '/a?b=1',
      body: Buffer.from('{}'),
    };
    const bodyHash = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    const text = `1700000000\n${request.nonce}\nPOST\n/a?b=1\n${bodyHash}`;
    expect(signV2('s', request)).toEqual(createHmac('sha256', 's').update(text).digest());
    const others = [{ method: 'PUT' }, { target: '/a?b=2' }, { nonce: 'm'.repeat(16) }, { body: Buffer.from('[]') }];
    for (const other of others) expect(signV2('s', { ...request, ...other })).not.toEqual(signV2('s', request));
  });

  test('a nonce is 16 to 128 plain characters', () => {
    expect([
      isNonce('a'.repeat(15)),
      isNonce('a'.repeat(16)),
      isNonce('a'.repeat(129)),
      isNonce('a b'.repeat(8)),
    ]).toEqual([false, true, false, false]);
  });
});
