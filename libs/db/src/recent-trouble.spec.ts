import { DatabaseTrouble, type TroubleKind } from './database-trouble';
import { RecentTrouble } from './recent-trouble';

const trouble = (kind: TroubleKind): DatabaseTrouble => new DatabaseTrouble(kind, new Error(kind));
const LATER = Infinity;

describe('RecentTrouble', () => {
  test('all is well until something is noted, and the latest counts', () => {
    const recent = new RecentTrouble();
    expect(recent.latest()).toBeNull();
    recent.note('SELECT 1', trouble('timeout'));
    recent.note('SELECT 2', trouble('away'));
    expect(recent.latest()).toBe('away');
  });

  test('is over once the same goes well, and no sooner', () => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble('timeout'));
    recent.over('SELECT 2');
    expect(recent.latest()).toBe('timeout');
    recent.over('SELECT 1');
    expect(recent.latest()).toBeNull();
  });

  test('is over after a while, whatever happens', () => {
    const recent = new RecentTrouble(-1);
    recent.note('SELECT 1', trouble('timeout'));
    expect(recent.latest()).toBeNull();
  });

  test.each(['away', 'refuses', 'busy', 'read_only', 'full'] as const)('a look that finds all well ends %s', (kind) => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble(kind));
    expect(recent.isWorthALook()).toBe(true);
    recent.foundWell(0);
    expect(recent.latest()).toBe(kind); // noted after that look began
    recent.foundWell(LATER);
    expect(recent.latest()).toBeNull();
  });

  test('a lock that is held is not seen by a look from outside', () => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble('timeout'));
    expect(recent.isWorthALook()).toBe(false);
    recent.foundWell(LATER);
    expect(recent.latest()).toBe('timeout');
  });
});
