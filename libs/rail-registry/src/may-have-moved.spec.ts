/** Which payouts wait for which lists, after a restore and beside a list that nobody compared with for long (points 1 and 2, ADR 106). */
import { TEST_RAIL } from '#libs/rail-kit';
import type { AwaitedList } from './awaited';
import { type ListsRead, Rails, type RegisteredRail } from './rails';

const HOUR = 3_600;
const UNTIL = new Date('2026-01-02T00:00:00.000Z');

const registered = (
  name: string,
  { lists = true, isConfigured = true, keeps = (24 * HOUR) as number | null } = {},
): RegisteredRail =>
  ({
    definition: { name, settings: {} },
    traits: { keyRetentionSeconds: keeps },
    rail: isConfigured ? { ...(lists ? { movements: () => undefined } : {}) } : null,
    missingSettings: [],
  }) as unknown as RegisteredRail;

const rails = new Rails(
  [
    registered('lister'),
    registered('other'),
    registered('unlisted', { lists: false }),
    registered('for_ever', { keeps: null }),
    registered('absent', { isConfigured: false }),
    registered(TEST_RAIL),
  ],
  'here',
);

const list = (rail: string, askedAgainUntil: Date | null = null): AwaitedList => ({
  rail,
  askedAgainUntil: askedAgainUntil?.toISOString() ?? null,
});
const read = (awaited: AwaitedList[], comparedAgo: number | null = 60): ListsRead => ({ comparedAgo, awaited });

describe('owed rows', () => {
  const rows = { provider: 'lister', consolidates: true };

  test.each([
    ['their own rail', 'lister', true],
    ['any other one, by which they may have gone before', 'other', true],
    ['one that lists nothing', 'unlisted', true],
    ['one that is not configured: all would wait for it for ever', 'absent', false],
    ['the one for tests', TEST_RAIL, false],
  ])('wait for the list of %s', async (_, rail, waits) => {
    expect(rails.mayHaveMoved(rows, read([list(rail)]))).toBe(waits);
    expect(rails.mayHaveMoved(rows, read([list(rail, UNTIL)]))).toBe(waits);
  });

  test('of a test wait for no rail that moves money, and for that of tests', () => {
    const ofATest = { provider: TEST_RAIL, consolidates: true };
    expect(rails.mayHaveMoved(ofATest, read([list('lister'), list('unlisted', UNTIL)]))).toBe(false);
    expect(rails.mayHaveMoved(ofATest, read([list(TEST_RAIL)]))).toBe(true);
  });

  test.each([
    ['lister', 600, false],
    ['lister', 601, true],
    ['unlisted', 1e9, false],
    ['for_ever', 1e9, false],
    ['lister', null, false],
  ])('of %s whose list was compared with %s s ago wait: %s', (provider, comparedAgo, waits) => {
    expect(rails.mayHaveMoved({ provider, consolidates: true }, read([], comparedAgo))).toBe(waits);
  });
});

describe("a caller's own payout", () => {
  const own = { provider: 'lister', consolidates: false };
  const before = new Date(UNTIL.getTime() - 1);

  test('waits for no list of the account that is bound: that knows its code', () => {
    expect(rails.mayHaveMoved(own, read([list('lister'), list('other')]))).toBe(false);
  });

  test.each([
    ['asked for just now', {}, true],
    ['taken on while callers ask again', { createdAt: before }, true],
    ['taken on later', { createdAt: UNTIL }, false],
    ['sent already, with whichever account', { createdAt: before, submittedAt: before }, false],
    ['not sent yet', { createdAt: before, submittedAt: null }, true],
  ])('waits for the account that its rail was bound to before: %s', (_, times, waits) => {
    expect(rails.mayHaveMoved({ ...own, ...times }, read([list('lister', UNTIL)]))).toBe(waits);
  });

  test('waits for no account that another rail was bound to before: its code goes to its own rail alone', () => {
    expect(
      rails.mayHaveMoved({ ...own, createdAt: before }, read([list('other', UNTIL), list('unlisted', UNTIL)])),
    ).toBe(false);
  });

  test('by a rail that is not configured waits for nothing here: it is held for that', () => {
    expect(rails.mayHaveMoved({ ...own, provider: 'absent' }, read([list('absent', UNTIL)]))).toBe(false);
  });

  test.each([
    [24 * HOUR, false],
    [24 * HOUR + 1, true],
  ])('of a rail whose list was compared with %s s ago waits: %s', (comparedAgo, waits) => {
    expect(rails.mayHaveMoved(own, read([], comparedAgo))).toBe(waits);
  });
});
