import { testOrder } from '#libs/rail-kit/testing';
import { mockRail } from './mock';
import { answerTo, asOf, CLAIM_SECONDS, directed, LATER_SECONDS, sent, stateOf } from './mock.ledger';

const NOW = new Date('2026-01-01T00:00:00.000Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const order = testOrder(mockRail.traits, {});

describe('a payment at the mock provider', () => {
  test('settles by itself after a while, and not before', () => {
    const slow = sent(order, 'slow', NOW);
    expect(stateOf(asOf(slow, later(LATER_SECONDS - 1)))).toMatchObject({ kind: 'accepted' });
    const due = asOf(slow, later(LATER_SECONDS + 60));
    expect(stateOf(due)).toMatchObject({ kind: 'settled', settledAt: later(LATER_SECONDS) });
    expect(asOf(due, later(3_600))).toBe(due);
  });

  test('comes back by itself after it settled', () => {
    const payment = sent(order, 'bounce_later', NOW);
    expect(answerTo(payment, 'bounce_later')).toMatchObject({ kind: 'settled', settledAt: NOW });
    expect(stateOf(asOf(payment, later(LATER_SECONDS)))).toEqual({ kind: 'bounced', feeCents: 25 });
  });

  test('that a test decided about takes no further turn by itself', () => {
    const failed = directed(sent(order, 'slow', NOW), { kind: 'refused', failure: 'permanent', reason: 'closed' }, NOW);
    expect(stateOf(asOf(failed, later(60)))).toMatchObject({ kind: 'refused', failure: 'permanent' });
  });

  test('waits behind a link until its payee comes', () => {
    const waiting = sent(order, 'claim', NOW);
    expect(stateOf(waiting)).toMatchObject({ kind: 'awaiting_payee', claimUrl: null });
    const claimed = directed(waiting, { kind: 'claimed' }, NOW);
    expect(stateOf(claimed)).toMatchObject({ kind: 'claimed' });
    expect(stateOf(directed(claimed, { kind: 'settled' }, NOW))).toMatchObject({ kind: 'settled' });
    expect(() => directed(sent(order, 'swap', NOW), { kind: 'claimed' }, NOW)).toThrow('cannot become claimed');
  });

  test('expires if nobody comes for it in time, and not once it was claimed', () => {
    const waiting = sent(order, 'claim', NOW);
    expect(stateOf(asOf(waiting, later(CLAIM_SECONDS - 1)))).toMatchObject({ kind: 'awaiting_payee' });
    expect(stateOf(asOf(waiting, later(CLAIM_SECONDS)))).toMatchObject({ kind: 'refused', failure: 'expired' });
    const claimed = directed(waiting, { kind: 'claimed' }, NOW);
    expect(stateOf(asOf(claimed, later(CLAIM_SECONDS)))).toMatchObject({ kind: 'claimed' });
  });

  test('of an earlier version, which knew of nothing due, stays as it is', () => {
    const { dueAt: _, becomes: __, ...old } = sent(order, 'pending', NOW);
    expect(asOf(old as ReturnType<typeof sent>, later(60))).toBe(old);
  });
});
