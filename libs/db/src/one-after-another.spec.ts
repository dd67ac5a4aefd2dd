/** Who fails, is held up or has very much to do keeps nobody else. */
import { DatabaseTrouble } from './database-trouble';
import { OneAfterAnother, type RunLimits } from './one-after-another';

const item = (clientId: string, id: string) => ({ clientId, id });
const A = [item('a', 'a1'), item('a', 'a2'), item('a', 'a3')];
const B = [item('b', 'b1'), item('b', 'b2')];

const late = (): never => {
  throw new DatabaseTrouble('timeout', new Error('canceling statement due to lock timeout'));
};
const broken = (): never => {
  throw new Error('broken');
};

describe('one after another', () => {
  const begun: string[] = [];
  let items: OneAfterAnother<(typeof A)[number]>;
  beforeEach(() => {
    items = new OneAfterAnother(
      ({ id }) => id,
      ({ id }) => ({ event: 'spec.failed', id }),
    );
  });
  /** Answers what was begun, in order. */
  const run = async (failing: Record<string, () => never> = {}, limits: RunLimits = {}): Promise<string> => {
    begun.length = 0;
    const work = async ({ id }: { id: string }, room: { left: number }): Promise<number> => {
      begun.push(id);
      room.left -= 1;
      return failing[id]?.() ?? 1;
    };
    await items.run([...A, ...B], work, limits);
    return begun.join(' ');
  };

  test('one that failed comes last the next time', async () => {
    expect(await run({ a1: broken })).toBe('a1 a2 a3 b1 b2');
    expect(await run()).toBe('a2 a3 b1 b2 a1');
    expect(await run()).toBe('a1 a2 a3 b1 b2');
  });

  test('of a client that holds something for long nothing more is tried, and the next time it comes last, with another one first', async () => {
    const held = { a1: late, a2: late, a3: late };
    expect(await run(held)).toBe('a1 b1 b2');
    expect(await run(held)).toBe('b1 b2 a2');
    expect(await run()).toBe('b1 b2 a3 a1 a2');
    expect(await run()).toBe('a1 a2 a3 b1 b2');
  });

  test('one that is held keeps no others of its client for longer than a run', async () => {
    const held = { a1: late };
    expect(await run(held)).toBe('a1 b1 b2');
    expect(await run(held)).toBe('b1 b2 a2 a3 a1');
  });

  test('of each client only so much is done in a run', async () => {
    expect(await run({}, { mostOfEach: 2 })).toBe('a1 a2 b1 b2');
  });
});
