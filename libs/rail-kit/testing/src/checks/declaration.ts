/** What the definition declares: traits the core can trust, settings a deployment can give, methods the core knows. */
import { type Rail, RELEASE_TIMINGS } from '#libs/rail-kit';
import type { Check } from '../check';
import { PROVIDER_OUTCOMES } from '../subject';

const METHODS = ['submit', 'lookup', 'readAccount', 'readNotice', 'direct', 'movements', 'funding'];
/** No provider is without these. */
const ALWAYS = ['settle', 'refuse_permanent', 'lost_answer'];

export const DECLARATION: Check[] = [
  {
    title: 'the traits are well formed',
    needs: [],
    run: async ({ subject }) => {
      const { custody, settles, countries, currencies, floorCents, keyRetentionSeconds, releasesOwed } =
        subject.definition.traits;
      expect(['custodial', 'claim', 'swap']).toContain(custody);
      expect(['at_once', 'later']).toContain(settles);
      expect(RELEASE_TIMINGS).toContain(releasesOwed);
      if (countries !== '*') for (const country of countries) expect(country).toMatch(/^[A-Z]{2}$/);
      if (currencies !== '*') for (const currency of currencies) expect(currency).toMatch(/^[A-Z]{3}$/);
      for (const count of [floorCents, keyRetentionSeconds ?? 0])
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
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
        expect(reason.length).toBeGreaterThan(15);
      }
    },
  },
  {
    // TypeScript's `private` leaves a method callable: use a function of the module, or a #private one.
    title: 'the rail has no public method that the core does not know',
    needs: [],
    run: async ({ rail }) => {
      expect(METHODS).toEqual(expect.arrayContaining(publicMethods(rail)));
      expect(publicMethods(rail)).toEqual(expect.arrayContaining(['submit', 'lookup']));
    },
  },
];

function publicMethods(rail: Rail): string[] {
  const names = new Set<string>();
  for (let level: object = rail; level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  const member = (name: string): unknown => (rail as unknown as Record<string, unknown>)[name];
  return [...names].filter((name) => name !== 'constructor' && typeof member(name) === 'function');
}
