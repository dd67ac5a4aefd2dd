import { DatabaseTrouble, type TroubleKind } from './database-trouble';
import { RecentTrouble } from './recent-trouble';

const trouble = (kind: TroubleKind): DatabaseTrouble => new DatabaseTrouble(kind, new Error(kind));
const LATER = Infinity;

describe('RecentTrouble', () => {
  test('all is well until something is noted, and the latest counts', () => {
    const recent = new RecentTrouble();
    expect(recent.latest()).toBeNull();
    recent.note('SELECT 1', trouble('full'));
    recent.note('SELECT 2', trouble('away'));
    expect(recent.latest()).toBe('away');
  });

  test('is over once the same goes well, and no sooner', () => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble('away'));
    recent.over('SELECT 2');
    expect(recent.latest()).toBe('away');
    recent.over('SELECT 1');
    expect(recent.latest()).toBeNull();
  });

  test('is over after a while, whatever happens', () => {
    const recent = new RecentTrouble(-1);
    recent.note('SELECT 1', trouble('away'));
    expect(recent.latest()).toBeNull();
    expect(recent.isWorthALook()).toBe(false);
  });

  test.each(['away', 'read_only', 'outdated'] as const)('a look that finds all well ends %s', (kind) => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble(kind));
    expect(recent.isWorthALook()).toBe(true);
    recent.foundWell(0);
    expect(recent.latest()).toBe(kind); // noted after that look began
    recent.foundWell(LATER);
    expect(recent.latest()).toBeNull();
  });

  test.each(['refuses', 'busy', 'full'] as const)('a look cannot see %s: it lasts until the same goes well', (kind) => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble(kind));
    recent.foundWell(LATER);
    expect(recent.latest()).toBe(kind);
    recent.over('SELECT 1');
    expect(recent.latest()).toBeNull();
  });

  test('one statement that took too long, however often, is no trouble of everybody’s, and worth a look', () => {
    const recent = new RecentTrouble();
    for (let times = 0; times < 10; times += 1) recent.note('SELECT 1', trouble('timeout'));
    recent.note('SELECT 2', trouble('timeout'));
    expect(recent.latest()).toBeNull();
    expect(recent.isWorthALook()).toBe(true);
  });

  test('several statements that take too long are, and a look from outside does not end it', () => {
    const recent = new RecentTrouble();
    for (const statement of ['SELECT 1', 'SELECT 2', 'SELECT 3']) recent.note(statement, trouble('timeout'));
    expect(recent.latest()).toBe('timeout');
    recent.foundWell(LATER);
    expect(recent.latest()).toBe('timeout');
    recent.over('SELECT 2');
    expect(recent.latest()).toBeNull();
  });
});
