import { FixedClock } from '#libs/rail-kit/testing';
import type { CameBy } from '../page-link';
import { type Asking, PageQuestions } from './page-questions';

describe('what the pages of a client ask its rail', () => {
  const ADA = { id: 'ada', rateLimitPerMinute: 5 };
  let clock: FixedClock;
  let questions: PageQuestions;
  beforeEach(() => {
    clock = new FixedClock();
    questions = new PageQuestions({ rateLimitPerMinute: 8 }, clock);
  });

  interface OfClient {
    id: string;
    rateLimitPerMinute: number | null;
  }
  const byOne = (client: OfClient, payee: string, asking?: Asking, cameBy?: CameBy): number =>
    Array.from({ length: 100 }, () => questions.take({ client, payee: { id: payee } }, asking, cameBy)).filter(
      (isTaken) => isTaken,
    ).length;
  /** By payees of whom none clicks often. */
  const taken = (client: OfClient, asking?: Asking): number =>
    Array.from({ length: 20 }, (_, nth) =>
      questions.take({ client, payee: { id: `${client.id}-${nth}` } }, asking),
    ).filter((isTaken) => isTaken).length;

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

  test('is shared: one payee has thirty of each, and no more than half of what there is', () => {
    const large = { id: 'large', rateLimitPerMinute: 600 };
    expect([byOne(large, 'ada'), byOne(large, 'ada', 'waiting'), byOne(large, 'ada', 'moving')]).toEqual([30, 30, 30]);
    expect(byOne(large, 'bob', 'moving')).toBe(30);
    expect([byOne(ADA, 'cat', 'moving'), byOne(ADA, 'dan', 'moving')]).toEqual([2, 1]);
    clock.advance(60);
    expect(byOne(large, 'ada')).toBe(30);
  });

  test('is counted apart for whoever came by a link', () => {
    const large = { id: 'large', rateLimitPerMinute: 600 };
    expect(byOne(large, 'ada', 'set_up', 'link')).toBe(30);
    expect(byOne(large, 'ada', 'set_up', 'wallet')).toBe(30);
  });
});
