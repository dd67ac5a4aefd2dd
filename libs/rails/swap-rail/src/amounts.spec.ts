/** Dollars in millionths: exact, or not at all. */
import { centsOf, feeCentsOf, usdcOf, wholeCentsOf } from './amounts';

describe('amounts of USDC', () => {
  it.each([
    [1_005, '10.050000'],
    [1, '0.010000'],
    [99_999_999_999, '999999999.990000'],
    [0, null],
    [-1, null],
    [0.5, null],
  ])('of %p cents are %p', (amountCents, text) => {
    expect(usdcOf({ amountCents, currency: 'USD' })).toBe(text);
    if (text !== null) expect(centsOf(text)).toBe(amountCents);
  });

  it('are of dollars alone', () => expect(usdcOf({ amountCents: 100, currency: 'EUR' })).toBeNull());

  it.each([
    ['10.05', 1_005],
    ['10', 1_000],
    ['10.0500000000', 1_005],
    ['10.055', null],
    ['1e3', null],
    ['-1', null],
  ])('%p are %p cents, and no part of one', (text, cents) => expect(centsOf(text)).toBe(cents));

  it.each([
    ['10.059999', 1_005],
    ['0.009', 0],
    ['12', 1_200],
    ['1,000', null],
  ])('of %p that lie there %p cents can be paid', (text, cents) => expect(wholeCentsOf(text)).toBe(cents));

  it.each([
    [['0.0251', '0.0251'], 5],
    [['0.0049'], 0],
    [['0.005'], 1],
    [['0.000000000000000001', undefined], 0],
    [[undefined, ''], null],
  ])('of fees %p are %p cents', (fees, cents) => expect(feeCentsOf(fees)).toBe(cents));
});
