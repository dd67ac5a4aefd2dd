import { DatabaseTrouble } from '#libs/db';
import { FairSlots } from './fair-slots';
import { FreeFirst } from './free-first';
import { Batcher } from './batcher';

/** Each call names its client and the row it needs: 'a:row'. */
function rehearsal() {
  const heldRows = new Set<string>();
  const waits: { inputs: string[]; letGo: () => void; inVain: () => void }[] = [];
  const tried: string[][] = [];
  const arrivals: (() => void)[] = [];
  const rowOf = (input: string): string => input.slice(2);
  const done = (input: string): string => `${input} done`;
  const free = async (inputs: string[]): Promise<string[]> => {
    tried.push(inputs);
    return inputs.map((input) => (heldRows.has(rowOf(input)) ? 'busy' : done(input)));
  };
  const waiting = (inputs: string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const locked = new DatabaseTrouble('timeout', new Error('canceling statement due to lock timeout'));
      waits.push({ inputs, letGo: () => resolve(inputs.map(done)), inVain: () => reject(locked) });
      for (const arrived of arrivals.splice(0)) arrived();
    });
  const laneOf = (input: string): string => input.slice(0, 1);
  const slots = new FairSlots({ atOnce: 6, perLane: 2 });
  const freeFirst = new FreeFirst<string, string>({ free, waiting }, { laneOf, slots });
  const quick = new Batcher(free, { most: 64, atOnce: 2, laneOf });
  return {
    ...{ heldRows, waits, tried },
    run: (input: string) => freeFirst.run(input, quick),
    /** The n-th time that somebody waits, once it has come. */
    wait: async (nth: number) => {
      while (waits.length < nth) await new Promise<void>((resolve) => arrivals.push(resolve));
      return waits[nth - 1] as (typeof waits)[number];
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('what is free first', () => {
  test('waits for nobody, and what is held waits with its own client only', async () => {
    const { heldRows, run, wait, waits } = rehearsal();
    heldRows.add('1').add('2');
    const held = [run('a:1'), run('b:2')];
    expect(await Promise.all(['a:3', 'b:4', 'c:5'].map(run))).toEqual(['a:3 done', 'b:4 done', 'c:5 done']);
    (await wait(2)).letGo();
    (await wait(1)).letGo();
    expect(await Promise.all(held)).toEqual(['a:1 done', 'b:2 done']);
    expect(waits.map(({ inputs }) => inputs)).toEqual([['a:1'], ['b:2']]);
  });

  test('goes without waiting where it came free meanwhile', async () => {
    const { heldRows, tried, run, waits } = rehearsal();
    heldRows.add('1');
    const held = run('a:1');
    await turn(); // it has looked once
    heldRows.clear();
    expect(await held).toBe('a:1 done');
    expect(tried).toHaveLength(2);
    expect(waits).toEqual([]);
  });

  test('where they waited in vain, those that are free go, the others are told, and none waits again by itself', async () => {
    const { heldRows, tried, run, wait, waits } = rehearsal();
    heldRows.add('1').add('2');
    const first = run('a:1').catch((error: Error) => error.message);
    await wait(1);
    const later = ['a:1', 'a:2', 'a:2'].map((input) => run(input).catch((error: Error) => error.message));
    while (tried.length < 4) await turn();
    const others = [run('b:2')];
    (await wait(2)).letGo(); // those of the first client looked twice before it, and wait by now
    await Promise.all(others);
    waits[0]?.inVain();
    const together = await wait(3);
    heldRows.delete('2');
    together.inVain();
    const inVain = 'canceling statement due to lock timeout';
    expect(await Promise.all([first, ...later])).toEqual([inVain, inVain, 'a:2 done', 'a:2 done']);
    expect(waits.map(({ inputs }) => inputs)).toEqual([['a:1'], ['b:2'], ['a:1', 'a:2', 'a:2']]);
  });
});
