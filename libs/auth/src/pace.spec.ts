import { Pace } from './pace';

describe('what refuses one sender again', () => {
  let out: string[];
  let pace: Pace;
  beforeEach(() => {
    jest.useFakeTimers();
    out = [];
    pace = new Pace();
  });
  afterEach(() => jest.useRealTimers());

  const refuse = (sender: string, times = 1): void => {
    for (let nth = 1; nth <= times; nth += 1) void pace.wait(sender).then(() => out.push(`${sender} ${nth}`));
  };
  const passed = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  test('goes out one by one, in its order', async () => {
    refuse('flood', 4);
    await passed(0);
    expect(out).toEqual(['flood 1']);
    await passed(20);
    expect(out).toEqual(['flood 1', 'flood 2']);
    await passed(40);
    expect(out).toEqual(['flood 1', 'flood 2', 'flood 3', 'flood 4']);
  });

  test('keeps no other sender waiting', async () => {
    refuse('flood', 100);
    refuse('other');
    await passed(0);
    expect(out).toEqual(['flood 1', 'other 1']);
  });

  test('waits no longer than two seconds, however many there are', async () => {
    refuse('flood', 10_000);
    await passed(2_000);
    expect(out).toHaveLength(10_000);
  });

  test('goes out at once again if none came for a while, and nobody is remembered for good', async () => {
    refuse('flood', 3);
    await passed(1_000);
    refuse('other');
    refuse('flood');
    await passed(0);
    expect(out.slice(3)).toEqual(['other 1', 'flood 1']);
    await passed(1_000);
    await pace.wait('third');
    expect(pace.remembered).toBe(1);
  });
});
