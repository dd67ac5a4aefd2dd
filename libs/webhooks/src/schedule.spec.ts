import { MAX_ATTEMPTS, secondsToNext } from './schedule';

describe('secondsToNext', () => {
  const all = (random: number) =>
    Array.from({ length: MAX_ATTEMPTS }, (_, made) => secondsToNext(made + 1, () => random));

  it('waits a minute, then twice as long each time, an hour at most, seven times', () => {
    expect(all(0)).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, null]);
  });

  it('waits up to a tenth longer, but never over the hour', () => {
    expect(all(1).map((seconds) => seconds && Math.round(seconds))).toEqual([
      66,
      132,
      264,
      528,
      1_056,
      2_112,
      3_600,
      null,
    ]);
  });
});
