import { Portions } from './portions';

const at = (second: number): Date => new Date(second * 1000);
const portion = (portions: Portions, ...seconds: number[]): void => {
  for (const second of seconds.slice(0, -1)) portions.asks(at(second));
  const end = at(seconds.at(-1) ?? 0);
  portions.end({ at: end, now: end });
};

test.each<[string, number[][], number | null]>([
  ['nothing was asked', [[30]], null],
  ['a wait before the first question is none between answers', [[30, 31, 32]], 31],
  [
    'slow answers, none of them after a standstill',
    [
      [0, 0, 9],
      [9, 18],
      [19, 27],
    ],
    19,
  ],
  [
    'a standstill within a portion',
    [
      [0, 1, 11],
      [11, 12],
    ],
    0,
  ],
  [
    'a standstill, or a wait, between two portions',
    [
      [0, 1],
      [15, 15, 16],
      [16, 17],
    ],
    1,
  ],
  [
    'the first of two standstills',
    [
      [0, 1],
      [12, 13],
      [30, 31],
    ],
    1,
  ],
])('%s', (_, portions, oldest) => {
  const asked = new Portions();
  for (const seconds of portions) portion(asked, ...seconds);
  expect(asked.askedAt).toEqual(oldest === null ? null : at(oldest));
});
