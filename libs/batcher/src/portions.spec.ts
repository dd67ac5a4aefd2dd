import { type PortionLimits, Portions } from './portions';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const AT_ONCE = { turnWithinMs: 1, longestRestMs: 0 };
const IN_TURN = { turnWithinMs: 60_000, longestRestMs: 0 };

/** Portions that end when the test says so. */
function controlled(limits: PortionLimits) {
  const portions = new Portions(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string): Promise<string> =>
    portions.run(async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      return name;
    });
  return { begun, start, end: (name: string) => ends.get(name)?.() };
}

describe('portions', () => {
  afterEach(() => jest.useRealTimers());

  test('go one at a time, in the order in which they came', async () => {
    const { begun, start, end } = controlled(IN_TURN);
    const works = ['a', 'b', 'c'].map(start);
    await turn();
    expect(begun).toEqual(['a']);
    end('a');
    await works[0];
    await turn();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await works[1];
    await turn();
    end('c');
    expect(await Promise.all(works)).toEqual(['a', 'b', 'c']);
  });

  test('rest for as long as they took, whoever comes next', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { begun, start, end } = controlled({ turnWithinMs: 60_000, longestRestMs: 200 });
    const works = ['a', 'b', 'c'].map(start);
    await turn();
    jest.advanceTimersByTime(50);
    end('a');
    await works[0];
    for (const [ms, expected] of [
      [49, ['a']],
      [1, ['a', 'b']],
      // From now on b is under way.
      [1_000, ['a', 'b']],
    ] as const) {
      jest.advanceTimersByTime(ms);
      await turn();
      expect(begun).toEqual(expected);
    }
    end('b');
    await works[1];
    jest.advanceTimersByTime(199);
    await turn();
    expect(begun).toEqual(['a', 'b']);
    jest.advanceTimersByTime(1);
    await turn();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('c');
    await works[2];
  });

  test('rest several times as long if that is how much they leave to others', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { begun, start, end } = controlled({ turnWithinMs: 60_000, longestRestMs: 200, restTimes: 3 });
    const first = start('a');
    await turn();
    jest.advanceTimersByTime(50);
    end('a');
    await first;
    const second = start('b');
    for (const [ms, expected] of [
      [149, ['a']],
      [1, ['a', 'b']],
    ] as const) {
      jest.advanceTimersByTime(ms);
      await turn();
      expect(begun).toEqual(expected);
    }
    end('b');
    await second;
  });

  test('rest no longer than whoever is next may wait', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { begun, start, end } = controlled({ turnWithinMs: 20, longestRestMs: 20 });
    const first = start('a');
    await turn();
    jest.advanceTimersByTime(50);
    end('a');
    await first;
    const second = start('b');
    for (const [ms, expected] of [
      [19, ['a']],
      [1, ['a', 'b']],
    ] as const) {
      jest.advanceTimersByTime(ms);
      await turn();
      expect(begun).toEqual(expected);
    }
    end('b');
    await second;
  });

  test('whoever waited long enough goes on, for it holds locks', async () => {
    const { begun, start, end } = controlled(AT_ONCE);
    const works = ['a', 'b'].map(start);
    while (begun.length < 2) await turn();
    for (const name of begun) end(name);
    expect(await Promise.all(works)).toEqual(['a', 'b']);
  });

  test('what fails gives the turn on', async () => {
    const portions = new Portions(IN_TURN);
    const failed = portions.run(() => Promise.reject(new Error('no')));
    const next = portions.run(async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
