import { type RouteFacts, routeTo } from './route';

const facts: RouteFacts = {
  testMode: false,
  testRail: 'mock',
  methodProvider: null,
  country: 'US',
  table: { US: ['custodial_a', 'claim_rail'], '*': ['swap_rail'] },
  allowList: null,
  serves: () => true,
};

describe('routing', () => {
  test.each<[string, Partial<RouteFacts>, string | null]>([
    ['test mode wins over everything', { testMode: true, methodProvider: 'custodial_b' }, 'mock'],
    ['the active method wins over the table', { methodProvider: 'custodial_b' }, 'custodial_b'],
    ['the first rail of the country', {}, 'custodial_a'],
    ['the first that serves the country', { serves: (rail) => rail !== 'custodial_a' }, 'claim_rail'],
    ['the first that is allowed', { allowList: ['claim_rail'] }, 'claim_rail'],
    ['a rail outside the allow-list rather than none', { allowList: ['swap_rail'] }, 'custodial_a'],
    ['the row for all other countries', { country: 'DE' }, 'swap_rail'],
    ['nothing without a country', { country: null }, null],
    ['nothing where no rail serves', { serves: () => false }, null],
  ])('%s', (_, change, expected) => {
    expect(routeTo({ ...facts, ...change })).toBe(expected);
  });
});
