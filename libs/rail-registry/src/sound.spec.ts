import type { RailOrder } from '#libs/rail-kit';
import { legible, soundFact } from './sound';

describe('money that a rail speaks of', () => {
  const order = { amountCents: 1_000, currency: 'USD' } as RailOrder;
  const spokenOf = (amountCents: number, currency = 'USD') =>
    soundFact({ kind: 'settled', providerRef: 'r', settledAt: null, echo: { amountCents, currency } }, order);

  test('is told with the answer, where it is other money', () => {
    const spokeOf = { amountCents: 990, currency: 'USD', moved: true };
    expect(spokenOf(990)).toMatchObject({ kind: 'unknown', spokeOf });
    expect(spokenOf(1_000)).toMatchObject({ kind: 'settled' });
  });

  test.each([
    [Number.NaN, 'USD'],
    [12.5, 'USD'],
    [-1, 'USD'],
    [2 ** 60, 'USD'],
    [990, 'dollars'],
  ])('and is not, where it is none: %s %s', (amountCents, currency) => {
    const fact = spokenOf(amountCents, currency);
    expect([fact.kind, 'spokeOf' in fact]).toEqual(['unknown', false]);
  });
});

describe('a fee that a rail speaks of', () => {
  const order = { amountCents: 1_000, currency: 'USD' } as RailOrder;
  const settled = { kind: 'settled', providerRef: 'r', settledAt: null } as const;

  test('is kept, in whatever currency it is', () => {
    const fact = { ...settled, fee: { amountCents: 0, currency: 'EUR' } };
    expect(soundFact(fact, order)).toEqual(fact);
  });

  test.each([
    [Number.NaN, 'USD'],
    [12.5, 'USD'],
    [-1, 'USD'],
    [2 ** 60, 'USD'],
    ['25' as unknown as number, 'USD'],
    [25, 'dollars'],
    [25, undefined as unknown as string],
  ])('and is none, where it is no money: %s %s. The payment counts all the same', (amountCents, currency) => {
    expect(soundFact({ ...settled, fee: { amountCents, currency } }, order)).toEqual(settled);
  });
});

describe('what a rail says', () => {
  test.each([
    ['control characters', 'a\u0000b\nc', 'a\ufffdb\ufffdc'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['words in any language', 'größer 😀 \u4e2d', 'größer 😀 \u4e2d'],
  ])('%s', (_, said, kept) => {
    expect(legible({ kind: 'refused', failure: 'permanent', reason: said })).toMatchObject({ reason: kept });
    expect(legible([{ railKey: said }])).toEqual([{ railKey: kept }]);
  });

  test('long texts are cut, and two that differ stay two', () => {
    const [one, other] = ['x'.repeat(1_000_000), `${'x'.repeat(1_000_000)}y`].map(legible) as [string, string];
    expect([one.length < 5_000, one === other]).toEqual([true, false]);
    expect(legible('\ud83d'.repeat(4_001)).length).toBeLessThan(5_000);
  });

  test('numbers, dates and what is left out stay as they are; a date that is none was not told', () => {
    const said = { settledAt: new Date(5), feeCents: 3, echo: undefined, payable: false, kycReason: null };
    expect(legible(said)).toEqual(said);
    expect(legible({ settledAt: new Date(Number.NaN) })).toEqual({ settledAt: null });
  });
});
