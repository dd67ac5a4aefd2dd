import { defineRail, type RailDefinition } from './define-rail';
import { servesCountry, servesCurrency } from './traits';

const rail = (changes: Partial<RailDefinition>): RailDefinition => ({
  name: 'acme',
  traits: {
    custody: 'custodial',
    settles: 'later',
    countries: ['DE', 'FR'],
    currencies: '*',
    floorCents: 100,
    keyRetentionSeconds: 86_400,
    releasesOwed: 'on_payable',
  },
  settings: [],
  create: () => {
    throw new Error('nobody makes this rail');
  },
  ...changes,
});

describe('a rail definition', () => {
  it('is what was given', () => {
    const given = rail({});
    expect(defineRail(given)).toBe(given);
  });

  it.each(['Acme', 'acme-pay', '1acme', 'a', ''])('refuses the name %j and says how to write it', (name) => {
    expect(() => defineRail(rail({ name }))).toThrow(/snake_case/);
  });

  it("refuses a setting that does not begin with the rail's name", () => {
    const settings = [{ env: 'STRIPE_KEY', description: 'A key.', required: true, secret: true }];
    expect(() => defineRail(rail({ settings }))).toThrow(/STRIPE_KEY/);
  });

  it('serves the countries and currencies of its traits, and all where it says so', () => {
    const { traits } = rail({});
    expect([servesCountry(traits, 'FR'), servesCountry(traits, 'US')]).toEqual([true, false]);
    expect(servesCurrency(traits, 'JPY')).toBe(true);
  });
});
