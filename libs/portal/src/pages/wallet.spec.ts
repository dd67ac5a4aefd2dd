import { wordsIn } from '#libs/payee-words';
import type { Payment } from '../use-cases/read-payments';
import type { Wallet } from '../use-cases/read-wallet';
import { walletPage, type WalletPage } from './wallet';
import { withdrawPage } from './withdraw';

const FRAME = { words: wordsIn('en'), nonce: 'n', brand: {}, from: 'Brass', form: 'f', of: 'USD5000.x' };
const AT = new Date('2026-11-25T12:00:00Z');
const OWED = {
  ...{ payeeId: 'p', currency: 'USD', withdrawableCents: 5_000, onTheWayCents: 0, actionNeededCents: 0 },
  ...{ heldBelowMinimumCents: 0, landedCents: 0 },
};
const PAYMENT: Payment = {
  ...{ amountCents: 5_000, currency: 'USD', ref: null, state: 'on_the_way', custody: 'custodial', notice: null },
  goesOn: false,
  ...{ onward: null, isAskedAgain: false, at: AT, withdrawnAt: AT, arrival: null },
  ...{ consolidates: true, supersededBy: null },
};
const walletOf = (of: object): Wallet =>
  ({
    ...{ payee: { payable: true, blocked: false, email: 'ada@example.com' }, balances: [OWED], account: null },
    ...{
      custody: 'custodial',
      partner: null,
      hindrance: null,
      setUp: null,
      canChange: false,
      choosesLater: false,
      outlook: null,
      stays: [],
    },
    ...{ payments: [], older: null, ...of },
  }) as never;

describe('the wallet', () => {
  const shown = (of: object, withdrawn: WalletPage['withdrawn'] = null): string =>
    walletPage({ ...FRAME, wallet: walletOf(of), withdrawn, isOlder: false });

  test('says whom to ask where nothing is theirs to do, and they cannot be paid', () => {
    const payee = { payable: false, blocked: false };
    expect(shown({ payee, custody: null, hindrance: 'no_rail' })).toContain('Please ask Brass what to do.');
    expect(shown({})).not.toContain('Please ask Brass what to do.');
  });

  test.each([
    ['blocked', 'Payments to you are on hold'],
    ['no_rail', 'We cannot send payments to you at the moment.'],
  ])('asks nobody to do what would not help: %s', (hindrance, said) => {
    const payee = { payable: false, blocked: true, kycReason: null };
    const held = { ...PAYMENT, state: 'held', notice: 'set_up' };
    for (const setUp of ['start', 'checking', 'rejected', 'restricted'] as const) {
      const page = shown({ payee, hindrance, setUp, payments: [held] });
      for (const each of [said, 'Your account is not ready yet.']) expect(page).toContain(each);
      for (const each of ['/portal/account', 'Please correct', 'See what is left']) expect(page).not.toContain(each);
      expect(shown({ payee, hindrance: null, setUp, payments: [held] })).toContain('/portal/account');
    }
    expect(shown({ hindrance, outlook: { against: null } })).not.toContain('/portal/withdraw');
  });

  test('offers nothing that would be refused, and says when or with how much it is not', () => {
    const outlook = { minCents: 6_000, maxCents: 9_000, nextAt: new Date('2026-11-26T12:00:00Z') };
    const offer = 'href="/portal/withdraw"';
    expect(shown({ outlook: { ...outlook, against: null } })).toContain(offer);
    for (const [against, said] of [
      ['withdrawals_disabled', 'Please ask Brass when it is paid.'],
      ['below_minimum_withdrawal', 'once it is at least $60.00.'],
      ['details', 'has something to do before it can pay you.'],
      ['withdrawal_frequency_limited', 'The next one is possible after November 26, 2026'],
    ] as const) {
      const page = shown({ outlook: { ...outlook, against } });
      for (const each of [said, 'Yours, but not ready yet']) expect(page).toContain(each);
      for (const each of [offer, 'Ready to withdraw']) expect(page).not.toContain(each);
    }
  });

  test('lets nobody correct what their provider rejected for good, and shows no code as a reason', () => {
    const payee = { payable: false, blocked: false, kycReason: 'rejected.other' };
    const rejected = { payee, setUp: 'rejected' };
    const page = shown({ ...rejected, account: { isRejectedForGood: true } });
    expect(page).toContain('Please ask Brass what to do.');
    for (const unsaid of ['Correct my details', 'rejected.other']) expect(page).not.toContain(unsaid);
    expect(shown(rejected)).toContain('Correct my details');
  });

  test('says once of what is tried again that it need not be withdrawn again', () => {
    const page = shown({ payments: [{ ...PAYMENT, state: 'tried_again', notice: 'tried_again' }] }, 'all');
    for (const said of ['Not sent yet', 'you do not need to withdraw it again', 'It was not sent yet.'])
      expect(page).toContain(said);
    expect(page).not.toContain('On hold');
  });

  test('says who has to act where nothing left, and calls nothing arrived that only left', () => {
    expect(shown({}, 'none')).toContain('Brass had not provided the money yet.');
    expect(shown({ balances: [{ ...OWED, landedCents: 100 }] })).toContain('Sent to you');
  });

  test.each([
    ['On its way to your account: $50.00', 'custodial'],
    ['It is under way: $50.00.', 'claim'],
    ['It is under way: $50.00.', 'swap'],
  ] as const)('says of what was just withdrawn: %s (custody %s)', (said, custody) => {
    expect(shown({ payments: [{ ...PAYMENT, custody }] }, 'all')).toContain(said);
    expect(shown({ custody, payments: [{ ...PAYMENT, custody: null }] }, 'all')).toContain(said);
  });

  test('of a part says that it is prepared, and that the rest stays theirs', () => {
    const some = shown({ payments: [{ ...PAYMENT, custody: 'swap' }] }, 'some');
    expect(some).toContain('It is under way: $50.00.');
    expect(some).toContain('The rest stays yours: Brass had not provided it yet.');
    expect(shown({ payments: [PAYMENT] }, 'some')).toContain('Part of it was sent. The rest stays yours');
  });

  test('calls nothing ready to withdraw that stays', () => {
    expect(shown({ outlook: { against: null } })).toContain('Ready to withdraw');
    expect(shown({ outlook: { against: null }, stays: [OWED] })).not.toContain('Ready to withdraw');
  });

  test('calls nothing ready to withdraw that its client has to provide first', () => {
    const page = shown({ payments: [PAYMENT] }, 'some');
    expect(page).toContain('The rest stays yours: Brass had not provided it yet.');
    expect(page).toContain('Yours, but not ready yet');
  });

  test('on hold says that what waits for them still does, unless they are blocked themselves', () => {
    const waiting = { ...PAYMENT, state: 'waiting', custody: 'claim', onward: { kind: 'how', to: '/' } };
    const hint = 'You can still get the payments below that are waiting for you.';
    const of = (blocked: boolean, payments: object[]): string =>
      shown({ hindrance: 'blocked', payee: { payable: false, blocked }, payments });
    expect(of(false, [waiting])).toContain(hint);
    for (const page of [of(true, [waiting]), of(false, [PAYMENT])]) expect(page).not.toContain(hint);
  });

  test('says that money waits for them if all of it does', () => {
    const balances = [{ ...OWED, withdrawableCents: 0, actionNeededCents: 5_000 }];
    const waiting = { ...PAYMENT, state: 'waiting', custody: 'swap', onward: { kind: 'send_on', to: '/' } };
    const sum = (of: object): string => /<dt>(.*?)<\/dt>/.exec(shown({ balances, ...of }))?.[1] ?? '';
    expect(sum({ payments: [waiting] })).toBe('Waiting for you');
    expect(sum({ payments: [PAYMENT] })).toBe('Sent, but not with you yet');
    expect(sum({ payments: [waiting, { ...waiting, amountCents: 1 }] })).toBe('Sent, but not with you yet');
  });

  test('does not offer once more what another payment took over', () => {
    const over = { ...PAYMENT, state: 'not_paid', notice: 'not_taken' };
    expect(shown({ payments: [over] })).toContain('then withdraw again');
    expect(shown({ payments: [{ ...over, supersededBy: 'other' }] })).not.toContain('then withdraw again');
  });

  test('calls what left by itself theirs again, and not withdrawn', () => {
    const over = { ...PAYMENT, state: 'not_paid', notice: 'not_taken', withdrawnAt: null } as const;
    expect(shown({ payments: [over] }, 'all')).toContain('the money is still yours');
    expect(shown({ payments: [over] }, 'all')).not.toContain('It was not paid, and is still yours.');
  });
});

test.each([
  ['claim', false, 'ada@example.com', 'We mail you'],
  ['claim', true, 'We mail you when you can choose how you get it.', 'ada@example.com'],
  ['swap', true, 'You need a crypto wallet for it. We mail you when you can enter its address.', 'choose'],
])(
  'what is about to be withdrawn goes where it is known to go: %s, later %s',
  (custody, choosesLater, said, unsaid) => {
    const page = withdrawPage({ ...FRAME, wallet: walletOf({ custody, choosesLater }), isChanged: false });
    expect(page).toContain(said);
    expect(page).not.toContain(unsaid);
  },
);

test('what stays because of the limits is not among what is withdrawn', () => {
  const yen = { ...OWED, currency: 'JPY', withdrawableCents: 700 };
  const of = (stays: object[]): string =>
    withdrawPage({ ...FRAME, wallet: walletOf({ balances: [OWED, yen], stays }), isChanged: false });
  expect(of([])).toContain('Withdraw all of it?');
  const page = of([yen]);
  for (const said of ['$50.00</dd>', '¥700 stays here: it is outside the limits', 'of=USD5000.x'])
    expect(page).toContain(said);
  for (const unsaid of ['¥700</dd>', 'all of it']) expect(page).not.toContain(unsaid);
});
