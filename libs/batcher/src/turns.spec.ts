import { Turns } from './turns';

describe('turns', () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Work that ends when it is told to. */
  function rehearsal() {
    const turns = new Turns();
    const begun: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    const work = (key: string, name: string, withinMs = 60_000): Promise<string> =>
      turns.run(
        key,
        () =>
          new Promise((resolve, reject) => {
            begun.push(name);
            ends.set(name, (error) => (error ? reject(error) : resolve(name)));
          }),
        { withinMs, late: () => new Error('late') },
      );
    return { begun, ends, work };
  }

  test('of one thing come one after the other, those of others beside them, and a failure holds nobody up', async () => {
    const { begun, ends, work } = rehearsal();
    const first = work('a', 'a1').catch((error: Error) => error.message);
    const [second, other] = [work('a', 'a2'), work('b', 'b1')];
    await turn();
    expect(begun).toEqual(['a1', 'b1']);
    ends.get('a1')?.(new Error('no'));
    await turn();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    for (const name of ['a2', 'b1']) ends.get(name)?.();
    expect(await Promise.all([first, second, other])).toEqual(['no', 'a2', 'b1']);
    const again = work('a', 'a3');
    await turn();
    expect(begun.at(-1)).toBe('a3');
    ends.get('a3')?.();
    await again;
  });

  test('that do not come in time are given up, and those behind them come all the same', async () => {
    const { begun, ends, work } = rehearsal();
    const first = work('a', 'a1');
    const late = work('a', 'a2', 1).catch((error: Error) => error.message);
    const third = work('a', 'a3');
    expect(await late).toBe('late');
    ends.get('a1')?.();
    await first;
    while (!ends.has('a3')) await turn();
    ends.get('a3')?.();
    expect(await third).toBe('a3');
    expect(begun).toEqual(['a1', 'a3']);
  });
});
