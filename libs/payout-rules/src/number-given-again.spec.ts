/** A database that went back gives the number of a send that it forgot to another one: what is said of the forgotten one is no answer to the other. */
import { withAttempt } from './attempts';
import { changeOf, type Payout, withStep } from './payout';
import { whatChanges } from './rail-news';
import type { Report } from './rail-report';

const SECOND = 1_000;
const BEGAN = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(BEGAN + seconds * SECOND);
const authorized = {
  ...{ id: 'x', status: 'authorized', sequence: 2, amountCents: 500, currency: 'USD', custody: 'custodial' },
  ...{ attempt: 0, openAttempts: [], acceptedAttempt: null, codeSince: null, submittedAt: null, toSend: false },
  ...{ legs: [], consolidates: false, providerRef: null, failureKind: null, calledPaidAgain: 0 },
} as unknown as Payout;

const sentAt = (seconds: number): Payout => {
  const submitted = withStep(changeOf(authorized), {
    ...{ on: 'submit', actor: 'system', facts: { toSend: true, submittedAt: at(seconds) } },
  });
  return withAttempt(submitted, at(seconds)).after;
};
const refusalOf = (asked: Payout): Report => ({
  ...{ by: 'submission', asked, fact: { kind: 'refused', failure: 'permanent', reason: 'no' } },
});

describe('a send whose number was given out before', () => {
  const [forgotten, sent] = [sentAt(0), sentAt(2)];

  test('is not ended by the refusal of the one before', () => {
    expect([forgotten.attempt, sent.attempt]).toEqual([1, 1]);
    const { change } = whatChanges(changeOf(sent), refusalOf(forgotten), at(3));
    expect(change.after).toMatchObject({ status: 'submitted', openAttempts: sent.openAttempts });
  });

  test('is not made once more because the one before was not made', () => {
    const report: Report = { ...refusalOf(forgotten), fact: { kind: 'not_sent' } };
    expect(whatChanges(changeOf(sent), report, at(3)).change.after).toMatchObject({
      ...{ toSend: false, openAttempts: sent.openAttempts },
    });
  });

  test('is ended by its own', () => {
    expect(whatChanges(changeOf(sent), refusalOf(sent), at(3)).change.after.status).toBe('failed');
  });

  /** The database that went back is on a host whose clock is behind, so the later send has the earlier time. */
  test('is not ended by the refusal of the one before, also by a clock that is behind', () => {
    const later = sentAt(-20);
    const { change } = whatChanges(changeOf(later), refusalOf(forgotten), at(-19));
    expect(change.after).toMatchObject({ status: 'submitted', openAttempts: later.openAttempts });
  });

  describe('by a version of before, which left no mark', () => {
    const unmarked = (payout: Payout): Payout => ({
      ...payout,
      openAttempts: payout.openAttempts.map(({ mark: _, ...open }) => open),
    });

    test('is not ended by the refusal of the one before either', () => {
      const { change } = whatChanges(changeOf(unmarked(sent)), refusalOf(unmarked(forgotten)), at(3));
      expect(change.after.status).toBe('submitted');
    });

    test.each([
      ['asked about', sent, unmarked(sent)],
      ['taken on', unmarked(sent), sent],
    ])('and is ended by its own: %s', (_, known, asked) => {
      expect(whatChanges(changeOf(known), refusalOf(asked), at(3)).change.after.status).toBe('failed');
    });
  });
});
