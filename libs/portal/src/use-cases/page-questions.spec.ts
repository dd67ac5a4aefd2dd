import { FixedClock } from '#libs/rail-kit/testing';
import { type Asking, PageQuestions } from './page-questions';

describe('what the pages of a client ask its rail', () => {
  const ADA = { id: 'ada', rateLimitPerMinute: 5 };
  let clock: FixedClock;
  let questions: PageQuestions;
  beforeEach(() => {
    clock = new FixedClock();
    questions = new PageQuestions({ rateLimitPerMinute: 8 }, clock);
  });

  const taken = (client: { id: string; rateLimitPerMinute: number | null }, asking?: Asking): number =>
    Array.from({ length: 20 }, () => questions.take(client, asking)).filter((isTaken) => isTaken).length;

  test('is as much in a minute as it may ask us, and as much again about money that waits, of which clicks have a half', () => {
    expect([taken(ADA), taken(ADA, 'waiting'), taken(ADA, 'moving')]).toEqual([5, 3, 3]);
    expect([taken(ADA), taken(ADA, 'waiting'), taken(ADA, 'moving')]).toEqual([0, 0, 0]);
    clock.advance(60);
    expect(taken(ADA, 'moving')).toBe(3);
  });

  test('is counted for each client, by its own limit or by that of the deployment', () => {
    taken(ADA);
    expect(taken({ id: 'bob', rateLimitPerMinute: null })).toBe(8);
    expect(taken({ id: 'eve', rateLimitPerMinute: 1 }, 'moving')).toBe(1);
  });
});
