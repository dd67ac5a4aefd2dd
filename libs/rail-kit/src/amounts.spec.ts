import { amountComplaint, ourAmount, providerAmount, providerDigits, stepOf } from './amounts';

describe("our minor units as a provider's amount", () => {
  test.each([
    [1_005, 'USD', undefined, 1_005n, '10.05'],
    [5, 'USD', undefined, 5n, '0.05'],
    [1_005, 'JPY', undefined, 1_005n, '1005'],
    [1_005, 'KWD', undefined, 1_005n, '1.005'],
    [1_000, 'USD', 6, 10_000_000n, '10.000000'],
    [100_000_000_000, 'USD', 18, 10n ** 27n, `1000000000.${'0'.repeat(18)}`],
    [1_005, 'ISK', 2, 100_500n, '1005.00'], // counted in hundredths that do not exist
    [100_500, 'HUF', 0, 1_005n, '1005'],
    [0, 'USD', undefined, 0n, '0.00'],
  ])('%s %s in %s decimals', (amountCents, currency, digits, units, decimal) => {
    expect(providerAmount({ amountCents, currency }, digits)).toEqual({ units, decimal });
    expect([ourAmount(units, currency, digits), ourAmount(decimal, currency)]).toEqual([amountCents, amountCents]);
  });

  test.each([
    [100_550, 'HUF', 0],
    [1_005, 'KWD', 2],
    [10.5, 'USD', 2],
    [-100, 'USD', 2],
    [Number.NaN, 'USD', 2],
    [2 ** 60, 'USD', 2],
  ])('%s %s does not fit into %s decimals', (amountCents, currency, digits) => {
    expect(providerAmount({ amountCents, currency }, digits)).toBeNull();
  });

  test.each(['', '-1.00', '1e3', '1,000.00', '10.055', 'NaN', '.5', '1.', '9'.repeat(17), ' 1.00'])(
    '%j is no amount in dollars',
    (told) => expect(ourAmount(told, 'USD')).toBeNull(),
  );

  test.each([
    ['10', 1_000],
    ['10.5', 1_050],
    ['10.050000', 1_005],
  ])('%s dollars are %i cents', (told, cents) => expect(ourAmount(told, 'USD')).toBe(cents));

  test('what is below zero is none, in the smallest units either', () => {
    expect(ourAmount(-5n, 'USD')).toBeNull();
  });
});

describe('what a rail takes', () => {
  const traits = { amounts: { USD: { mostCents: 500, stepCents: 25 }, HUF: { digits: 0, stepCents: 15 } } };

  test.each([
    [500, 'USD', null],
    [525, 'USD', '525 is over 500'],
    [499, 'USD', '499 is no multiple of 25'],
    [300, 'HUF', null],
    [150, 'HUF', '150 is no multiple of 300'], // whole forints, and fifteen hundredths
    [1, 'EUR', null],
    [1, 'constructor', null],
  ])('%s %s', (amountCents, currency, complaint) => {
    expect(amountComplaint(traits, amountCents, currency)).toBe(complaint);
  });

  test('is all there is where its traits say nothing', () => {
    expect([amountComplaint({}, 7, 'USD'), stepOf({}, 'HUF'), providerDigits({}, 'KWD')]).toEqual([null, 1, 3]);
    expect(providerDigits(traits, 'HUF')).toBe(0);
  });
});
