/** A no to one try is no no to the next one: what is denied after it was paid leaves once more. */
import type { LookupAnswer, Rail, RailOrder, RailStore, Refused, SubmitAnswer } from '#libs/rail-kit';
import { checksFor, runCheck } from '../conformance';
import type { RailSubject } from '../subject';
import { type Mistake, toySubject, type ToyProvider } from '../toy-rail.fake';

const AGAIN = /^refuse_transient: sent again, what is said/;
const AGAIN_RESTORED = /^refuse_transient: .* to an empty store/;
const SETTLE_RESTORED = /^settle: after a restore/;
const LOST_RESTORED = /^lost_answer: after a restore/;

const NO: Refused = { kind: 'refused', failure: 'transient', reason: 'the bank was closed' };

interface Parts {
  rail: Rail;
  store: RailStore;
  provider: ToyProvider;
  /** The provider refused their first try, and says so whenever it is asked about that. */
  refused: Set<string>;
}
type Ways = Partial<{
  lookup(parts: Parts, order: RailOrder): Promise<LookupAnswer>;
  submit(parts: Parts, order: RailOrder): Promise<SubmitAnswer>;
}>;

/** It sends the next try under a name of its own, and notes each payout in its store. */
const honest: Required<Ways> = {
  lookup: async ({ rail, refused }, order) => {
    const fact = await rail.lookup(order);
    return fact.kind === 'never_seen' && refused.has(order.railKey) ? NO : fact;
  },
  submit: async ({ rail, store, provider: { outcomes }, refused }, order) => {
    const { railKey } = order;
    const isFirst = (await store.read(railKey)) === null && !refused.has(railKey);
    await store.claim(railKey, { sent: true });
    if (outcomes.get(railKey) !== 'refuse_transient') return rail.submit(order);
    if (isFirst) {
      refused.add(railKey);
      return NO;
    }
    outcomes.delete(railKey);
    return rail.submit(order);
  },
};

function toy(ways: Ways = {}): RailSubject {
  const refused = new Set<string>();
  const mistake: Mistake = (rail, { store }, provider) => {
    const parts = { rail, store, provider, refused };
    const { lookup, submit } = { ...honest, ...ways };
    return { lookup: (order) => lookup(parts, order), submit: (order) => submit(parts, order) };
  };
  return toySubject(mistake);
}

const firstTryOnly: Ways = {
  lookup: async (parts, order) => (parts.refused.has(order.railKey) ? NO : honest.lookup(parts, order)),
};
const ownRecordsOnly: Ways = {
  lookup: async (parts, order) =>
    (await parts.store.read(order.railKey)) === null ? { kind: 'never_seen' } : honest.lookup(parts, order),
};
const usedIsNo: Ways = {
  submit: async (parts, order) => {
    const isNew = (await parts.store.read(order.railKey)) === null;
    return isNew && parts.provider.find(order.railKey) ? NO : honest.submit(parts, order);
  },
};
const newNameOnceForgotten: Ways = {
  submit: async (parts, order) => {
    const { store, provider } = parts;
    const [isNew, paid] = [(await store.read(order.railKey)) === null, provider.find(order.railKey)];
    if (isNew && paid) provider.book(order.railKey, paid);
    return honest.submit(parts, order);
  },
};

describe('the conformance suite refuses a rail that', () => {
  it.each<[string, RegExp, RegExp, Ways]>([
    ['asks about the first try alone', AGAIN, /`lookup` answers 'refused'.*every try/, firstTryOnly],
    ['knows only what its store tells', AGAIN_RESTORED, /`lookup` answers 'never_seen'/, ownRecordsOnly],
    ['knows only that of what was paid at once', SETTLE_RESTORED, /`lookup` answers 'never_seen'/, ownRecordsOnly],
    ['knows only that of a lost answer', LOST_RESTORED, /`lookup` answers 'never_seen'/, ownRecordsOnly],
    ['takes a used reference for a no', SETTLE_RESTORED, /`submit` answers 'refused'/, usedIsNo],
    ['takes that of an earlier try for a no', AGAIN_RESTORED, /`submit` answers 'refused'/, usedIsNo],
    ['sends it under a new name once it forgot', SETTLE_RESTORED, /was paid 2 times/, newNameOnceForgotten],
  ])('%s', async (_, caughtBy, told, ways) => {
    await expect(run(toy(ways), caughtBy)).rejects.toThrow(told);
  });
});

describe('the conformance suite lets pass', () => {
  it.each([AGAIN, AGAIN_RESTORED, SETTLE_RESTORED, LOST_RESTORED])('one that asks about all: %s', async (title) => {
    await run(toy(), title);
  });

  it('one whose provider answers no question without the id that it gave', async () => {
    const cannot = { restored_asked: 'it finds a payment by its own id alone' };
    for (const title of [AGAIN_RESTORED, SETTLE_RESTORED]) await run({ ...toy(ownRecordsOnly), cannot }, title);
  });

  it('one whose provider keeps no books of its own', () => {
    const subject = { ...toy(), cannot: { restored: 'they are the store of the rail' } };
    expect(checksFor(subject).filter(({ title }) => /restore|empty store/.test(title))).toEqual([]);
  });
});

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}
