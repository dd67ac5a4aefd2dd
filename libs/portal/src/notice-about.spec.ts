import { statusReason } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { noticeAbout } from './notice-about';

describe('why a payment is held or over, in its payee’s terms', () => {
  const noticeOf = (of: Partial<Payout>): string =>
    noticeAbout({ amountCents: 1_000, status: 'held', failureKind: null, consolidates: false, ...of } as Payout);

  test.each([
    ['tomorrow', 500, 1_000],
    ['tomorrow', 0, 1_000],
    ['being_seen_to', 0, 999],
  ])('is %s of 1000 cents, with %s of %s used today', (notice, used, cap) => {
    const reason = statusReason('cap_exceeded_daily', `${used} of ${cap} are used today`);
    expect(noticeOf({ statusReason: reason })).toBe(notice);
  });

  test.each([
    ['called_off', { failureKind: 'permanent', consolidates: true }],
    ['being_seen_to', { failureKind: 'transient', consolidates: true }],
    ['being_seen_to', { failureKind: 'permanent', consolidates: false }],
  ] as const)('is %s of what lost its rail: %j', (notice, of) => {
    expect(noticeOf({ status: 'failed', statusReason: 'authorized_payout_missing_provider', ...of })).toBe(notice);
  });
});
