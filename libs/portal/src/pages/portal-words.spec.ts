import type { Balance } from '#libs/balances';
import { cameBack } from '../came-back';
import { wordsIn } from '#libs/payee-words';
import { noticed, reasonToSay, refusedWithdrawal, unsentFor } from './portal-words';

const OWED = [{ currency: 'USD', withdrawableCents: 1_000 }] as Balance[];
const ROWS = { currency: 'USD', consolidates: true, supersededBy: null };
const READY = { isPayable: true, isServed: true, isTheirTurn: false, goesOn: false, custody: 'custodial' } as const;

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
    expect(noticed('not_taken', { ...READY, custody, back: 'owed' })).toBe(said);
  });

  test.each([
    ['custodial', null, 'notice.sent_back'],
    ['custodial', 'owed', 'notice.back.sent_back'],
    ['claim', null, 'notice.returned'],
    ['swap', 'owed', 'notice.back.returned'],
    ['claim', 'left', 'notice.replaced'],
    ['custodial', 'not_ready', 'notice.still_yours.sent_back'],
    ['swap', 'not_ready', 'notice.still_yours'],
  ] as const)('speaks of a bank only where there is one: custody %s, back %s', (custody, back, said) => {
    expect(noticed('sent_back', { ...READY, custody, back })).toBe(said);
  });

  test.each(['tomorrow', 'too_little', 'tried_again', 'set_up', 'not_accepted', 'being_seen_to', 'on_hold'] as const)(
    'is whom to ask, of what waits (%s) while nothing is paid to them at all',
    (notice) => {
      expect(noticed(notice, { ...READY, isServed: false, back: null })).toBe('notice.on_hold');
    },
  );

  test('is what came of it, of what came to nothing, also while nothing is paid to them', () => {
    expect(noticed('not_taken', { ...READY, isServed: false, back: null })).toBe('notice.not_taken');
  });

  test.each([
    ['notice.tried_again', null],
    ['notice.tried_again.owed', 'owed'],
    ['notice.tried_again.owed', 'not_ready'],
    ['notice.replaced', 'replaced'],
  ] as const)('is %s while the service tries it again, and what it paid is %s', (said, back) => {
    expect(noticed('tried_again', { ...READY, back })).toBe(said);
  });

  test.each([
    ['notice.not_accepted', 'not_accepted', true, 'custodial'],
    ['notice.not_ready', 'not_accepted', false, 'custodial'],
    ['notice.not_ready', 'set_up', false, 'custodial'],
    ['notice.ready', 'set_up', true, 'custodial'],
    ['notice.ready.elsewhere', 'set_up', true, 'claim'],
  ] as const)('is %s where its notice is %s, payable %s over custody %s', (said, notice, isPayable, custody) => {
    expect(noticed(notice, { ...READY, isPayable, back: null, custody })).toBe(said);
  });

  test.each(['set_up', 'not_accepted'] as const)('asks to see what is left only where something is: %s', (notice) => {
    expect(noticed(notice, { ...READY, isPayable: false, isTheirTurn: true, back: null })).toBe('notice.set_up');
  });

  test.each([
    ['notice.ready.itself', 'set_up'],
    ['notice.not_accepted.itself', 'not_accepted'],
  ] as const)('is %s where nobody has to send it: %s', (said, notice) => {
    expect(noticed(notice, { ...READY, goesOn: true, back: null })).toBe(said);
  });
});

describe('what is said of a withdrawal that was refused', () => {
  test('says that payments are on hold, and not whom to ask alone', () => {
    expect(refusedWithdrawal('client_suspended')).toMatchObject({ heading: 'blocked.heading', text: 'blocked.text' });
  });

  const words = wordsIn('en');
  const OUTLOOK = { against: null, minCents: 2_000, maxCents: 9_000, nextAt: null };
  const saidOf = (code: Parameters<typeof refusedWithdrawal>[0], of: object = {}, balances = OWED): string => {
    const { text, filledIn } = refusedWithdrawal(code, { outlook: { ...OUTLOOK, ...of }, balances });
    return text ? words.say(text, { from: 'Brass', ...filledIn?.(words) }) : '';
  };

  test('names the amount, or the moment', () => {
    const nextAt = new Date('2026-11-26T12:00:01Z');
    expect(saidOf('below_minimum_withdrawal')).toContain('at least $20.00.');
    expect(saidOf('above_maximum_withdrawal')).toContain('At most $90.00');
    expect(saidOf('withdrawal_frequency_limited', { nextAt })).toMatch(/after November 26, 2026 at 12:01.*UTC\.$/);
    expect(saidOf('payee_not_payable', { against: 'cooling', nextAt })).toMatch(/only after November 26, 2026/);
  });

  test('names none that is over by now', () => {
    expect(saidOf('withdrawal_frequency_limited')).toContain('This page was out of date');
    expect(saidOf('below_minimum_withdrawal', {}, [])).toContain('This page was out of date');
  });
});

test('who was sent no mail at all is not told to look for one', () => {
  expect(unsentFor('no_mails_left', false).text).toBe('unsent.no_mails');
  expect(unsentFor('rate_limited', false).text).toBe('unsent.text');
});

test.each([
  ['The photo was blurred.', 'The photo was blurred.'],
  ['書類を読み取れませんでした。', '書類を読み取れませんでした。'],
  [null, 'rejected.other'],
  [null, 'verification_failed'],
  [null, 'listed'],
  [null, null],
])('says %j of a provider whose reason is %j', (said, reason) => {
  expect(reasonToSay(reason)).toBe(said);
});
