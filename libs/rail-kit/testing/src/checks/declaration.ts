/** What the definition declares: traits the core can trust, settings a deployment can give, methods the core knows. */
import {
  CHECK_TIMINGS,
  checksPayees,
  letsPayeesBegin,
  type Rail,
  type RailTraits,
  RELEASE_TIMINGS,
  servesCurrency,
  stepOf,
  verifies,
} from '#libs/rail-kit';
import { can, type Check, demand } from '../check';
import { PROVIDER_OUTCOMES } from '../subject';

const METHODS = [
  'submit',
  'advance',
  'checkDestination',
  'arrivesAs',
  'payeeLink',
  'handedOver',
  'checkPayee',
  'payeeCheckLink',
  'directCheck',
  'lookup',
  'readAccount',
  'openAccount',
  'onboardingLink',
  'directAccount',
  'readNotice',
  'direct',
  'timesKept',
  'recordsKept',
  'movements',
  'funding',
  'verify',
];
/** No provider is without these. */
const ALWAYS = ['settle', 'lost_answer'];
const REFUSALS = PROVIDER_OUTCOMES.filter((outcome) => outcome.startsWith('refuse_'));

export const DECLARATION: Check[] = [
  {
    title: 'the traits are well formed',
    needs: [],
    run: async ({ traits }) => {
      const { custody, settles, countries, currencies, floorCents, keyRetentionSeconds, returns, releasesOwed } =
        traits;
      expect(['custodial', 'claim', 'swap']).toContain(custody);
      expect(['at_once', 'later']).toContain(settles);
      expect(RELEASE_TIMINGS).toContain(releasesOwed);
      expectPlaces(countries);
      expectCurrencies(currencies);
      for (const count of [floorCents, keyRetentionSeconds ?? 0, returns?.withinSeconds ?? 0])
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
    },
  },
  {
    title: 'a currency with rules for its amounts is served, and its rules leave amounts that can be paid',
    needs: [],
    run: async ({ traits }) => {
      for (const [currency, { leastCents = 1, mostCents, stepCents = 1, digits = 0 }] of Object.entries(
        traits.amounts ?? {},
      )) {
        expect(servesCurrency(traits, currency)).toBe(true);
        for (const count of [leastCents, mostCents ?? 1, stepCents])
          expect(Number.isSafeInteger(count) && count > 0).toBe(true);
        expect(Number.isSafeInteger(digits) && digits >= 0 && digits <= 18).toBe(true);
        const step = stepOf(traits, currency);
        expect(Math.ceil(leastCents / step) * step).toBeLessThanOrEqual(mostCents ?? Infinity);
      }
    },
  },
  {
    title: 'every required setting is given a value by the test, and described',
    needs: [],
    run: async ({ subject, world }) => {
      for (const { env, required, description } of subject.definition.settings) {
        expect(description).not.toBe('');
        if (required) expect(world.settings).toHaveProperty([env], expect.any(String));
      }
    },
  },
  {
    title: 'what the provider cannot do is declared with a reason, and is not what every provider can do',
    needs: [],
    run: async ({ subject }) => {
      for (const [outcome, reason] of Object.entries(subject.cannot)) {
        expect(PROVIDER_OUTCOMES).toContain(outcome);
        expect(ALWAYS).not.toContain(outcome);
        expect([outcome, reason.length > 15]).toEqual([outcome, true]);
      }
      demand(
        REFUSALS.some((outcome) => can({ subject }, outcome)),
        'All refusals stand in `cannot`. No provider takes every order: let the one be arranged that this one has.',
      );
    },
  },
  {
    title: 'what cannot be verified is a secret of the rail, and has a reason',
    needs: [],
    power: verifies,
    run: async ({ subject: { definition, cannotVerify = {} } }) => {
      const secrets = definition.settings.filter(({ secret }) => secret).map(({ env }) => env);
      for (const [env, reason] of Object.entries(cannotVerify)) {
        expect(secrets).toContain(env);
        expect([env, reason.length > 15]).toEqual([env, true]);
      }
    },
  },
  {
    // Without the trait nobody is ever checked, and without the method nobody is ever cleared.
    title: 'a rail that checks payees says whose, and one that says so checks them before they begin',
    needs: [],
    run: async ({ rail, traits }) => {
      const { checksPayees: whose } = traits;
      expect(checksPayees(rail)).toBe(whose !== undefined);
      if (whose === undefined) return;
      expect(CHECK_TIMINGS).toContain(whose);
      expect(letsPayeesBegin(rail)).toBe(true);
    },
  },
  {
    // TypeScript's `private` leaves a method callable: use a function of the module, or a #private one.
    title: 'the rail has no public method that the core does not know',
    needs: [],
    run: async ({ rail }) => {
      expect(publicMethods(rail).filter((name) => !METHODS.includes(name))).toEqual([]);
      expect(publicMethods(rail)).toEqual(expect.arrayContaining(['submit', 'lookup']));
    },
  },
];

function expectPlaces(countries: RailTraits['countries']): void {
  if (countries === '*') return;
  const names = (Array.isArray(countries) ? countries : Object.keys(countries)) as string[];
  for (const name of names) expect(name).toMatch(Array.isArray(countries) ? /^[A-Z]{2}$/ : /^([A-Z]{2}|\*)$/);
  if (!Array.isArray(countries)) for (const line of Object.values(countries)) expectCurrencies(line as '*');
}

function expectCurrencies(currencies: RailTraits['currencies']): void {
  if (currencies !== '*') for (const currency of currencies) expect(currency).toMatch(/^[A-Z]{3}$/);
}

function publicMethods(rail: Rail): string[] {
  const names = new Set<string>();
  for (let level: object = rail; level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  const member = (name: string): unknown => (rail as unknown as Record<string, unknown>)[name];
  return [...names].filter((name) => name !== 'constructor' && typeof member(name) === 'function');
}
