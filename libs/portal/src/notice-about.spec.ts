import { statusReason } from '#libs/domain';
import { NO_LONGER_PAYABLE, type Payout } from '#libs/payout-rules';
import { noticeAbout } from './notice-about';

const HELD = {
  ...{ amountCents: 1_000, status: 'held', failureKind: null, consolidates: false, supersededBy: null },
  submittedAt: null,
};

describe('why a payment is held or over, in its payee’s terms', () => {
  const noticeOf = (of: Partial<Payout>): string => noticeAbout({ ...HELD, ...of } as Payout);

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
    ['not_taken', { failureKind: 'permanent', consolidates: false }],
    ['being_seen_to', { failureKind: 'transient', consolidates: false }],
  ] as const)('is %s of what lost its rail: %j', (notice, of) => {
    expect(noticeOf({ status: 'failed', statusReason: 'authorized_payout_missing_provider', ...of })).toBe(notice);
  });

  test.each([
    ['set_up', null],
    ['not_accepted', new Date(0)],
  ])('is %s of what is held for its account, and was sent at %s', (notice, submittedAt) => {
    expect(noticeOf({ statusReason: 'not_payable: debit card only', submittedAt })).toBe(notice);
  });

  test.each(['not_payable', statusReason('not_payable', NO_LONGER_PAYABLE)])(
    'is set_up of what was sent once, and which our own look held since: %s',
    (reason) => {
      expect(noticeOf({ statusReason: reason, submittedAt: new Date(0) })).toBe('set_up');
    },
  );

  test.each([
    ['tried_again', null],
    ['being_seen_to', 'other'],
  ])('is %s of what its rail had no funds for, and that %s took over', (notice, supersededBy) => {
    const short = { status: 'failed', failureKind: 'transient', statusReason: 'rail_out_of_funds: empty' } as const;
    expect(noticeOf({ ...short, supersededBy })).toBe(notice);
  });
});
