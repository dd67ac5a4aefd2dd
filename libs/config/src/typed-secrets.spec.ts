/** Production starts with secrets that were rolled, and never with those that somebody typed. */
import { createHash } from 'node:crypto';
import { isMadeUpKey, isMadeUpToken } from './made-up';

/** The same ones in each run. */
const rolled = (seed: number, bytes: number): Buffer =>
  createHash('shake256', { outputLength: bytes }).update(String(seed)).digest();
/** As password managers do it. */
const filledFrom = (signs: string, seed: number): string =>
  Array.from(rolled(seed, 32), (byte) => signs[byte % signs.length]).join('');
const PRINTABLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
const LETTERS_AND_DIGITS = PRINTABLE.replace(/[^A-Za-z0-9]/g, '');
const asUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
const SEEDS = Array.from({ length: 20_000 }, (_, seed) => seed);

describe('what was typed and not rolled', () => {
  test.each(['deadbeefcafebabe'.repeat(4), 'feedfacedeadbeef'.repeat(4), 'c0ffee00deadbeefcafebabefeedface'.repeat(2)])(
    '%s is no master key',
    (key) => expect(isMadeUpKey(key)).toBe(true),
  );
  test.each(['', '\n', 'password', 'secret\n', 'payout-gateway'])(
    'what sha256sum makes of %j is no secret',
    (nothing) => {
      const digest = createHash('sha256').update(nothing).digest('hex');
      expect([isMadeUpKey(digest), isMadeUpToken(digest), isMadeUpToken(digest.toUpperCase())]).toEqual([
        true,
        true,
        true,
      ]);
    },
  );
  test('nor is what md5sum makes of nothing', () =>
    expect(isMadeUpToken('d41d8cd98f00b204e9800998ecf8427e')).toBe(true));
  test.each([
    'operator-token-for-production-2026!!',
    'your-operator-token-goes-here-please',
    'thisisaverysecrettokenpleasechange',
    'qwertyuiopasdfghjklzxcvbnmqwertyui',
    '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9',
    'qwert12345asdfg12345zxcvb12345!A',
    'correct-horse-battery-staple-and-more',
    'Operator-Token-Of-Our-Gateway-2026',
    'REPLACE_ME_WITH_A_LONG_RANDOM_STRING',
    '${OPERATOR_TOKEN:?set it in the environment}',
    '$(openssl rand -hex 32) of 2026-11-22 A1',
    '$GatewayOperatorTokenOfTheLiveSite9',
    'ENC[AES256_GCM,data:p673w7Zq1KfQ,iv:9ReW2bYx8,type:str]',
    'op://Payments/gateway-live/zX81/operator-Token-7',
    'arn:aws:secretsmanager:eu-central-1:4821730956:secret:gw-Ab3xYz',
    '@Microsoft.KeyVault(SecretUri=vault-7x.Example.net/gw/9Qz)',
  ])('%s is no token', (token) => expect(isMadeUpToken(token)).toBe(true));
});

describe('of twenty thousand that were rolled each passes', () => {
  test.each([
    ['tokens of 32 hex digits', 16, 'hex'],
    ['tokens of 64 hex digits', 32, 'hex'],
    ['tokens of 32 characters of base64', 24, 'base64'],
    ['tokens of 44 characters of base64', 32, 'base64'],
    ['tokens of 32 characters of base64url', 24, 'base64url'],
  ] as const)('%s', (_, bytes, encoding) => {
    expect(SEEDS.filter((seed) => isMadeUpToken(rolled(seed, bytes).toString(encoding)))).toEqual([]);
  });

  test.each([
    ['every sign', PRINTABLE],
    ['the signs of Bitwarden', `${LETTERS_AND_DIGITS}!@#$%^&*`],
    ['letters and digits', LETTERS_AND_DIGITS],
  ])('passwords of %s', (_, signs) => {
    expect(SEEDS.map((seed) => filledFrom(signs, seed)).filter(isMadeUpToken)).toEqual([]);
  });

  test('UUIDs, one or two', () => {
    const uuids = SEEDS.map((seed) => asUuid(rolled(seed, 16)));
    const pairs = uuids.map((uuid, at) => `${uuid}-${asUuid(rolled(-1 - at, 16))}`);
    expect([...uuids, ...pairs].filter(isMadeUpToken)).toEqual([]);
  });

  test('master keys', () => {
    expect(SEEDS.filter((seed) => isMadeUpKey(rolled(seed, 32).toString('hex')))).toEqual([]);
  });
});

test.each([
  'our master key for production 1!',
  'the quick brown fox jumps over a',
  'the key of our payouts in 2026\r\n',
  'der Schlüssel für Auszahlungen\0',
])('the sentence %p, written in hex, is no key', (sentence) =>
  expect(isMadeUpKey(Buffer.from(sentence).toString('hex'))).toBe(true),
);
