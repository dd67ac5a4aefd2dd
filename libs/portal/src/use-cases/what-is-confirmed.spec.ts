import { goesTo, wordFor } from './what-is-confirmed';

const DOLLARS = { currency: 'USD', withdrawableCents: 5_000 };
const YEN = { currency: 'JPY', withdrawableCents: 700 };
const METHOD = { id: 'm', details: { brand: 'Bank', last4: '4242' } };
const word = ({
  session = 's',
  balances = [DOLLARS] as object[],
  provider = 'rail' as string | null,
  method = METHOD as object | null,
}): string =>
  wordFor({ id: session }, {
    balances,
    goesTo: goesTo({ payee: { provider }, method } as never),
  } as never);

describe('what a payee says yes to', () => {
  test('is the same as long as the sums and the account are, in whatever order', () => {
    expect(word({ balances: [YEN, DOLLARS] })).toBe(word({ balances: [DOLLARS, YEN] }));
  });

  test.each([
    ['another sum', { balances: [{ ...DOLLARS, withdrawableCents: 5_001 }] }],
    ['one more currency', { balances: [DOLLARS, YEN] }],
    ['another rail', { provider: 'other' }],
    ['another account', { method: { ...METHOD, id: 'n' } }],
    ['an account in place of none', { method: null }],
    ['another bank account behind it', { method: { ...METHOD, details: { brand: 'Bank', last4: '1881' } } }],
    ['another browser', { session: 't' }],
  ])('is another thing with %s', (_, other) => expect(word(other)).not.toBe(word({})));

  test('tells nothing of the account to who reads it in an address', () => {
    expect(word({})).toMatch(/^USD5000\.[\w-]{43}$/);
  });
});
