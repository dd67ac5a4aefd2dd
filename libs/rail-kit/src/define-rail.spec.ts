import { defineRail, type RailDefinition, traitsOf } from './define-rail';
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
    returns: null,
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

  it('serves a currency in the countries of its table, and elsewhere what the line for all others says', () => {
    const countries = { DE: ['EUR'], GB: '*', '*': ['USD'] } as const;
    const { traits } = rail({ traits: { ...rail({}).traits, countries, currencies: ['EUR', 'USD', 'GBP'] } });
    const served = (currency: string, country: string | null) => servesCurrency(traits, currency, country);
    expect([served('EUR', 'DE'), served('USD', 'DE'), served('GBP', 'GB'), served('USD', 'toString')]).toEqual([
      ...[true, false, true, true],
    ]);
    expect([served('EUR', null), served('GBP', null), served('JPY', 'GB')]).toEqual([true, true, false]);
    expect([servesCountry(traits, 'BR'), servesCountry({ countries: { DE: ['EUR'] } }, 'BR')]).toEqual([true, false]);
  });

  it('has the traits that the settings of a deployment give it', () => {
    const given = rail({ traitsBy: ({ ACME_COUNTRY = 'DE' }) => ({ countries: [ACME_COUNTRY] }) });
    expect(traitsOf(given, { ACME_COUNTRY: 'IS' })).toEqual({ ...given.traits, countries: ['IS'] });
    expect(traitsOf(rail({}), {})).toEqual(rail({}).traits);
  });
});
