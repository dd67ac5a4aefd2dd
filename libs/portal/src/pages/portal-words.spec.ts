import type { Balance } from '#libs/balances';
import { cameBack } from '../came-back';
import { noticed } from './portal-words';

const OWED = [{ currency: 'USD', withdrawableCents: 1_000 }] as Balance[];
const ROWS = { currency: 'USD', consolidates: true, supersededBy: null };
const READY = { isPayable: true, custody: 'custodial' } as const;

describe('what is said of a payment that came to nothing', () => {
  test.each([
    ['notice.back', ROWS, OWED],
    ['notice.replaced', ROWS, []],
    ['notice.replaced', { ...ROWS, supersededBy: 'other' }, OWED],
    ['notice.not_taken', { ...ROWS, consolidates: false }, OWED],
  ])('is %s of %j', (said, payout, balances) => {
    expect(noticed('not_taken', { ...READY, back: cameBack(payout, balances, true) })).toBe(said);
  });

  test('is that it is still theirs, while they cannot be paid', () => {
    expect(noticed('not_taken', { ...READY, back: cameBack(ROWS, OWED, false) })).toBe('notice.still_yours');
  });

  test.each(['being_seen_to', 'set_up', 'on_hold'] as const)('is not %s once another payment took it over', (notice) =>
    expect(noticed(notice, { ...READY, back: 'replaced' })).toBe('notice.replaced'),
  );

  test.each([
    ['custodial', 'notice.back'],
    ['claim', 'notice.back.elsewhere'],
    ['swap', 'notice.back.elsewhere'],
  ] as const)('sends nobody to look at an account that they do not have: custody %s', (custody, said) => {
    expect(noticed('not_taken', { isPayable: true, custody, back: 'owed' })).toBe(said);
  });

  test.each([
    ['custodial', null, 'notice.sent_back'],
    ['custodial', 'owed', 'notice.back.sent_back'],
    ['claim', null, 'notice.returned'],
    ['swap', 'owed', 'notice.back.returned'],
    ['claim', 'left', 'notice.replaced'],
  ] as const)('speaks of a bank only where there is one: custody %s, back %s', (custody, back, said) => {
    expect(noticed('sent_back', { isPayable: true, custody, back })).toBe(said);
  });
});
