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

  test('what one asker meets is not everybody’s, in however many statements, nor with what is nobody’s beside it', () => {
    const recent = new RecentTrouble();
    for (const statement of ['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4'])
      recent.note(statement, trouble('timeout'), 'ada');
    recent.note('SELECT 5', trouble('timeout'));
    expect(recent.latest()).toBeNull();
    expect(recent.isWorthALook()).toBe(true);
    recent.note('SELECT 6', trouble('timeout'));
    expect(recent.latest()).toBe('timeout');
  });

  test('what three askers meet is, unless it is one statement', () => {
    const recent = new RecentTrouble();
    const askers = ['ada', 'bob', 'eve'];
    for (const asker of askers) recent.note('SELECT 1', trouble('timeout'), asker);
    expect(recent.latest()).toBeNull();
    askers.forEach((asker, index) => recent.note(`SELECT ${index}`, trouble('timeout'), asker));
    expect(recent.latest()).toBe('timeout');
  });

  test('a statement that goes well for one asker is over for all', () => {
    const recent = new RecentTrouble();
    for (const asker of ['ada', 'bob']) recent.note('SELECT 1', trouble('timeout'), asker);
    recent.over('SELECT 1');
    expect(recent.isWorthALook()).toBe(false);
  });

  test('any other trouble counts whoever meets it', () => {
    const recent = new RecentTrouble();
    recent.note('SELECT 1', trouble('full'), 'ada');
    expect(recent.latest()).toBe('full');
  });
});
