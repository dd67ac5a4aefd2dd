import { CommitUnknown, DatabaseTrouble } from '#libs/db';
import { Batcher, type BatchLimits } from './batcher';

/** Batches are let go one by one, so that what waits meanwhile is certain. */
function held() {
  const calls: { inputs: number[]; letGo: (error?: Error) => void }[] = [];
  const together = (inputs: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      const letGo = (error?: Error): void => {
        if (error) reject(error);
        else if (inputs.includes(13)) reject(new Error('unlucky'));
        else resolve(inputs.map((n) => n * 10));
      };
      calls.push({ inputs, letGo });
    });
  return {
    calls,
    of: (limits: BatchLimits<number>) => new Batcher(together, limits),
    batcher: new Batcher(together, { most: 3, atOnce: 1 }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The first is under way when the others come. */
async function firstThenOthers<T>([first, ...others]: number[], add: (n: number) => Promise<T>): Promise<Promise<T>[]> {
  const results = first === undefined ? [] : [add(first)];
  await turn();
  return [...results, ...others.map(add)];
}

describe('Batcher', () => {
  test('those of one turn of the event loop go together', async () => {
    const { calls, batcher } = held();
    for (const n of [1, 2, 3]) void batcher.add(n);
    await turn();
    expect(calls.map(({ inputs }) => inputs)).toEqual([[1, 2, 3]]);
  });

  test('beside a batch others wait, and go together once it is over', async () => {
    const { calls, of } = held();
    const batcher = of({ most: 5, atOnce: 3 });
    void batcher.add(1);
    await turn();
    for (const n of [2, 3]) void batcher.add(n);
    await turn();
    void batcher.add(4);
    await turn();
    expect(calls.map(({ inputs }) => inputs)).toEqual([[1]]);
    calls[0]?.letGo();
    await turn();
    expect(calls.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4]]);
  });

  test('what waits for a batch that takes long goes beside it after a while, as far as there is room', async () => {
    const { calls, of } = held();
    const batcher = of({ most: 5, atOnce: 2 });
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      for (const n of [1, 2, 3, 4, 5]) void batcher.add(n);
      await turn();
      void batcher.add(6);
      await turn();
      expect(calls).toHaveLength(1);
      jest.advanceTimersByTime(1_000);
      expect(calls[1]?.inputs).toEqual([6]);
      void batcher.add(7);
      await turn();
      jest.advanceTimersByTime(1_000);
      expect(calls).toHaveLength(2);
    } finally {
      jest.useRealTimers();
    }
  });

  test('one that was waited for long enough keeps nobody waiting any more', async () => {
    const { calls, of } = held();
    const batcher = of({ most: 5, atOnce: 2 });
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      void batcher.add(1);
      await turn();
      jest.advanceTimersByTime(1_000);
      for (const n of [2, 3]) {
        void batcher.add(n);
        await turn();
        expect(calls.at(-1)?.inputs).toEqual([n]);
        calls.at(-1)?.letGo();
        await turn();
      }
    } finally {
      jest.useRealTimers();
    }
  });

  test('the first goes at once, those that come meanwhile go together, no more than allowed', async () => {
    const { calls, batcher } = held();
    const results = await firstThenOthers([1, 2, 3, 4, 5], (n) => batcher.add(n));
    expect(calls.map(({ inputs }) => inputs)).toEqual([[1]]);
    calls[0]?.letGo();
    await turn();
    expect(calls[1]?.inputs).toEqual([2, 3, 4]);
    calls[1]?.letGo();
    await turn();
    calls[2]?.letGo();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50]);
  });

  test('one bad call fails alone', async () => {
    const { calls, batcher } = held();
    const results = await firstThenOthers([1, 12, 13, 14], (n) =>
      batcher.add(n).catch((error: Error) => error.message),
    );
    for (let index = 0; index < 5; index += 1) {
      calls[index]?.letGo();
      await turn();
    }
    expect(calls.map(({ inputs }) => inputs)).toEqual([[1], [12, 13, 14], [12], [13], [14]]);
    expect(await Promise.all(results)).toEqual([10, 120, 'unlucky', 140]);
  });

  test.each([
    ['the database is away', new DatabaseTrouble('away', new Error('gone'))],
    ['nobody knows whether it was committed', new CommitUnknown(new Error('gone'))],
  ])('where %s, all fail at once: nobody asks again', async (_, error) => {
    const { calls, batcher } = held();
    const results = await firstThenOthers([1, 2, 3, 4], (n) => batcher.add(n).catch((thrown: Error) => thrown));
    calls[0]?.letGo();
    await turn();
    calls[1]?.letGo(error);
    expect(await Promise.all(results)).toEqual([10, error, error, error]);
    expect(calls.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4]]);
  });

  test('where one call waited too long for a lock, the others go without it, and nobody waits in turn', async () => {
    const { calls, batcher } = held();
    const results = await firstThenOthers([1, 2, 3, 4], (n) => batcher.add(n).catch((thrown: Error) => thrown));
    calls[0]?.letGo();
    await turn();
    const locked = new DatabaseTrouble('timeout', new Error('canceling statement due to lock timeout'));
    calls[1]?.letGo(locked);
    await turn();
    expect(calls.slice(2).map(({ inputs }) => inputs)).toEqual([[2], [3], [4]]);
    calls[4]?.letGo();
    calls[3]?.letGo();
    calls[2]?.letGo(locked);
    expect(await Promise.all(results)).toEqual([10, locked, 30, 40]);
  });
});
