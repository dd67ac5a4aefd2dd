import { wordsIn } from '#libs/payee-words';
import { type OnboardingPage, onboardingPage } from './onboarding';

const PAGE: OnboardingPage = {
  ...{ words: wordsIn('en'), nonce: 'n', brand: {}, from: 'Brass', returnUrl: '/portal', onward: '/onboarding/x' },
  ...{ step: 'ready', reason: null, isForGood: false, refused: null, account: null, until: null, tells: null },
  ...{ isFromWallet: true, mayChange: true },
};
const shown = (of: Partial<OnboardingPage>): string => onboardingPage({ ...PAGE, ...of });

describe('the page of an account', () => {
  test('calls none ready that did not take a payment', () => {
    const account = { brand: 'Mock Bank', last4: '1234', currency: null, name: null };
    expect(shown({ account })).toContain('You are ready to be paid');
    for (const page of [shown({ refused: 'change' }), shown({ refused: 'change', account })]) {
      for (const said of ['A payment did not reach your account', 'Then tell Brass', 'Change where I am paid'])
        expect(page).toContain(said);
      expect(page).not.toContain('You are ready');
    }
    expect(shown({ refused: 'change', account })).toContain('Mock Bank, ending in 1234');
  });

  test.each([
    ['as_it_is', 'It could not be paid to your account.'],
    ['come_back', 'Then tell Brass, even if you changed nothing.'],
    ['tried_again', 'It is tried again by itself.'],
  ] as const)('offers no change of what it did not take, where that is made elsewhere: %s', (refused, said) => {
    for (const page of [shown({ refused }), shown({ refused, account: { brand: 'B', last4: '1' } as never })]) {
      expect(page).toContain(said);
      expect(page).not.toContain('change it if it is wrong');
    }
    const isSaidToFail = refused !== 'come_back';
    expect(shown({ refused }).includes('A payment did not reach your account')).toBe(isSaidToFail);
  });

  test('of who was rejected for good says whom to ask, and offers no way on', () => {
    const rejected = { step: 'rejected', mayChange: false, reason: 'rejected.fraud' } as const;
    const page = shown({ ...rejected, isForGood: true });
    expect(page).toContain('Please ask Brass what to do.');
    for (const unsaid of ['<form', 'rejected.fraud', 'send them again']) expect(page).not.toContain(unsaid);
    const correctable = shown({ ...rejected, reason: 'The photo was blurred.' });
    for (const said of ['<form', 'Reason: The photo was blurred.']) expect(correctable).toContain(said);
  });
});
