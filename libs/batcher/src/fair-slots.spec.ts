import { FairSlots, type SlotLimits } from './fair-slots';
import { Batcher } from './batcher';
import { Lanes } from './lanes';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('lanes', () => {
  test('are taken from in turn, each in its order, and a lane that was served goes to the end', () => {
    const lanes = new Lanes<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) lanes.add(item.slice(0, 1), item);
    expect(lanes.take(4)).toEqual(['a1', 'b1', 'c1', 'a2']);
    lanes.add('c', 'c2');
    expect(lanes.take(9)).toEqual(['b2', 'a3', 'c2']);
    expect(lanes.take(1)).toEqual([]);
  });
});

describe('fair slots', () => {
  /** Work that ends when the test says so. */
  function controlled(limits: SlotLimits) {
    const slots = new FairSlots(limits);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const start = (name: string): Promise<string> =>
      slots.run(name.slice(0, 1), async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      });
    return { begun, start, end: async (name: string) => (ends.get(name)?.(), turn()) };
  }

  test('one client takes no more than its share, and another gets in at once', async () => {
    const { begun, start, end } = controlled({ atOnce: 4, perLane: 2 });
    const works = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map(start);
    await turn();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun.slice(3)).toEqual(['a3']);
    await end('a2');
    expect(begun.slice(4)).toEqual(['b2']);
    for (const name of ['b1', 'a3', 'b2', 'a4']) await end(name);
    expect(await Promise.all(works)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  });

  test('the last place is for a client that has none', async () => {
    const { begun, start, end } = controlled({ atOnce: 4, perLane: 2 });
    const works = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1'].map(start);
    await turn();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
    await end('a1');
    expect(begun.slice(4)).toEqual(['d1']);
    for (const name of ['a2', 'c1', 'd1', 'b1', 'b2', 'c2']) await end(name);
    expect(await Promise.all(works)).toHaveLength(7);
  });

  test('a lane in which more waits rests, and another gets in meanwhile', async () => {
    const { begun, start, end } = controlled({ atOnce: 1, perLane: 1, longestRestMs: 60_000 });
    const works = ['a1', 'a2', 'b1'].map(start);
    await turn();
    await end('a1');
    await works[0];
    await turn();
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    while (!begun.includes('a2')) await turn(); // it took moments, and so does its rest
    await end('a2');
    expect(await Promise.all(works)).toEqual(['a1', 'a2', 'b1']);
  });

  test('who has waited for a place as long as they wanted leaves the line, and nobody else does', async () => {
    jest.useFakeTimers();
    const slots = new FairSlots({ atOnce: 1, perLane: 1 });
    let end: (what: string) => void = () => undefined;
    const held = slots.run('a', () => new Promise<string>((resolve) => (end = resolve)));
    const begun: string[] = [];
    const wait = (name: string, withinMs: number): Promise<unknown> =>
      slots
        .run('a', async () => begun.push(name), { withinMs, late: () => new Error('too late') })
        .catch((error: Error) => error.message);
    const waiting = [wait('short', 1_000), wait('long', 5_000)];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await waiting[0]).toBe('too late');
    end('done');
    await jest.advanceTimersByTimeAsync(60_000);
    await Promise.all([held, ...waiting]);
    jest.useRealTimers();
    expect(begun).toEqual(['long']);
  });

  test('what fails gives its place back', async () => {
    const slots = new FairSlots({ atOnce: 1, perLane: 1 });
    await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run('a', async () => 'next')).toBe('next');
  });
});

describe('a batcher with lanes', () => {
  function held(isLong: (input: string) => boolean = () => false) {
    const calls: { inputs: string[]; letGo: () => void }[] = [];
    const together = (inputs: string[]): Promise<string[]> =>
      new Promise((resolve) => calls.push({ inputs, letGo: () => resolve(inputs) }));
    const laneOf = (input: string): string => input.slice(0, 1);
    return { calls, batcher: new Batcher(together, { most: 3, atOnce: 1, laneOf, isLong }) };
  }

  test('lets each client into the next batch, however many calls another has waiting', async () => {
    const { calls, batcher } = held();
    void batcher.add('a1');
    await turn();
    void Promise.all(['a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map((input) => batcher.add(input)));
    calls[0]?.letGo();
    await turn();
    expect(calls[1]?.inputs).toEqual(['a2', 'b1', 'c1']);
  });

  test('lets what takes long go by itself, one of each client, and others not wait for it', async () => {
    const { calls, batcher } = held((input) => input.endsWith('!'));
    void Promise.all(['a!', 'a2!', 'b!', 'a1'].map((input) => batcher.add(input)));
    await turn();
    void batcher.add('b1');
    expect(calls.map(({ inputs }) => inputs)).toEqual([['a!'], ['b!'], ['a1']]);
    calls[2]?.letGo();
    await turn();
    expect(calls[3]?.inputs).toEqual(['b1']);
    calls[0]?.letGo();
    await turn();
    expect(calls[4]?.inputs).toEqual(['a2!']);
  });
});
