import type { AccountDetails, AccountFact, OnboardingLinkFact, OpeningFact } from '#libs/rail-kit';
import { soundAccount, soundLink, soundOpening } from './sound-accounts';

type Account = Extract<AccountFact, { kind: 'account' }>;

const ACCOUNT: Account = {
  kind: 'account',
  ...{ payable: true, kyc: 'verified', kycReason: null, onboarding: 'complete', country: 'DE' },
};
const DETAILS: AccountDetails = { brand: 'Sparkasse', last4: '4242', currency: 'EUR', name: 'Ada Lovelace' };
const detailsOf = (more: object): AccountDetails | undefined =>
  (soundAccount({ ...ACCOUNT, details: { ...DETAILS, ...more } }) as Account).details;

describe('what a rail says of an account', () => {
  test('is kept as it is, if it can be', () => {
    expect(soundAccount({ ...ACCOUNT, details: DETAILS })).toEqual({ ...ACCOUNT, details: DETAILS });
    expect(soundAccount(ACCOUNT)).toEqual(ACCOUNT);
    expect(detailsOf({ isRejectedForGood: true })).toEqual({ ...DETAILS, isRejectedForGood: true });
  });

  test.each([
    ['a check that is none', { kyc: 'approved' }],
    ['a step that is none', { onboarding: 'done' }],
    ['neither yes nor no', { payable: 'true' }],
  ])('%s: nobody knows', (_, wrong) => {
    expect(soundAccount({ ...ACCOUNT, ...wrong } as unknown as Account).kind).toBe('unknown');
  });

  test.each(['Germany', 'de', '', 7, undefined])('the country %j was not told', (country) => {
    expect(soundAccount({ ...ACCOUNT, country } as Account)).toEqual({ ...ACCOUNT, country: null });
  });

  test.each([
    ['all of a number', { last4: 'DE02120300000000202051' }, { last4: null }],
    ['an end that is none', { last4: '**42' }, { last4: null }],
    ['a currency that is none', { currency: 'euro' }, { currency: null }],
    ['a number in place of a bank', { brand: 'IBAN DE02 1203 0000 0000 2020 51' }, { brand: 'IBAN DE…' }],
    ['a number beside a name', { name: 'Ada Lovelace 12345678' }, { name: 'Ada Lovelace …' }],
    ['what is no text', { brand: 7, name: {} }, { brand: null, name: null }],
    ['nothing but blanks', { name: '   ' }, { name: null }],
    ['a name without end', { name: '😀'.repeat(300) }, { name: '😀'.repeat(200) }],
    ['neither yes nor no', { isRejectedForGood: 'yes' }, {}],
    ['what nobody asked for', { iban: 'DE02120300000000202051' }, {}],
  ])('%s is not kept', (_, told, kept) => {
    expect(detailsOf(told)).toEqual({ ...DETAILS, ...kept });
  });
});

describe('an account that was opened', () => {
  test('has a name that can be kept, or nobody knows what was opened', () => {
    expect(soundOpening({ kind: 'opened', accountId: 'acct_1' })).toEqual({ kind: 'opened', accountId: 'acct_1' });
    for (const accountId of ['', ' ', 'a b', 'a\n', 'x'.repeat(256), 7 as unknown as string])
      expect(soundOpening({ kind: 'opened', accountId }).kind).toBe('unknown');
  });

  test('or was refused in one of the classes that there are', () => {
    const refused = { kind: 'refused', failure: 'permanent', reason: 'no' } as const;
    expect(soundOpening(refused)).toEqual(refused);
    expect(soundOpening({ ...refused, failure: 'gone' } as unknown as OpeningFact).kind).toBe('unknown');
  });
});

describe('a link to onboarding', () => {
  const link = (url: unknown): OnboardingLinkFact => soundLink({ kind: 'link', url: url as string, expiresAt: null });

  test.each(['https://pay.example/e/1?token=a', 'http://localhost:4000/e', 'http://127.0.0.1/e', 'http://[::1]:1/e'])(
    'is handed on: %s',
    (url) => expect(link(url)).toEqual({ kind: 'link', url, expiresAt: null }),
  );

  test.each(['http://pay.example/secret', 'javascript:secret()', 'secret', 'https://a b/secret', '', 7, null])(
    'and is not, and stands in no word of the answer: %j',
    (url) => {
      const fact = link(url);
      expect(fact.kind).toBe('unknown');
      expect(JSON.stringify(fact)).not.toContain('secret');
    },
  );
});
