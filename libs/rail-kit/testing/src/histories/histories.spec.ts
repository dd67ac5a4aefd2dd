/** The histories have to find a rail that is wrong only when two of its processes meet, and let one pass that is not. */
import { randomUUID } from 'node:crypto';
import { defineRail, type Rail, type RailContext, type RailTraits, type SubmitAnswer } from '#libs/rail-kit';
import type { ProviderMovement } from '../subject';
import { firstWrong } from './histories';
import type { HistorySubject } from './history';

type Books = Map<string, ProviderMovement[]>;
type Mark = (context: RailContext, railKey: string) => Promise<boolean>;

/** Its provider is a list in memory that takes all that it is told, so the rail itself has to pay once. */
function toy(isFirst: Mark): HistorySubject {
  const books: Books = new Map();
  const traits: RailTraits = {
    ...{ custody: 'claim', settles: 'at_once', countries: '*', currencies: '*', floorCents: 100 },
    ...{ keyRetentionSeconds: null, returns: null, releasesOwed: 'on_withdraw' },
  };
  const create = (context: RailContext): Rail => ({
    async submit({ railKey, amountCents, currency }): Promise<SubmitAnswer> {
      if (await isFirst(context, railKey))
        books.set(railKey, [...(books.get(railKey) ?? []), { amountCents, currency }]);
      await context.store.read('whatever');
      return { kind: 'settled', providerRef: railKey, settledAt: null };
    },
    async lookup({ railKey }) {
      const isThere = (await context.store.read(railKey)) !== null;
      return isThere ? { kind: 'settled', providerRef: railKey, settledAt: null } : { kind: 'never_seen' };
    },
  });
  return {
    definition: defineRail({ name: 'toy', traits, settings: [], create }),
    open: async () => ({
      world: { settings: {}, arrange: (_, order) => order, movements: (railKey) => books.get(railKey) ?? [] },
      order: {},
      out: (railKey) => (books.get(railKey) ?? []).reduce((sum, { amountCents }) => sum + amountCents, 0),
      events: () => ({}),
    }),
  };
}

const inOneStep: Mark = async ({ store }, railKey) => {
  const mine = { word: randomUUID() };
  return (await store.claim(railKey, mine)).word === mine.word;
};
/** Between the two another process may do the same. */
const inTwoSteps: Mark = async ({ store }, railKey) => {
  if ((await store.read(railKey)) !== null) return false;
  await store.claim(railKey, { word: randomUUID() });
  return true;
};

describe('histories', () => {
  it('let a rail pass that pays once, whoever stands still wherever', async () => {
    const { wrong, endings } = await firstWrong(toy(inOneStep), { runs: 100, seed: 1 });
    expect(wrong).toBeNull();
    expect(endings).toEqual(['settled']);
  });

  it('find one that pays twice if a process stands still between two steps, and tell how to see it again', async () => {
    const subject = toy(inTwoSteps);
    const { wrong } = await firstWrong(subject, { runs: 2000, seed: 1 });
    expect(wrong).toContain('It was paid more than once');
    expect(wrong).toContain('stands still before it claims');
    const [, seed, path] = /--rail toy --seed (\d+) --path ([\d:]+)$/.exec(wrong ?? '') ?? [];
    const again = await firstWrong(subject, { runs: 2000, seed: Number(seed), path: path ?? '' });
    expect(again.wrong).toContain('It was paid more than once');
  });
});
