import type { KycStatus, OnboardingStatus } from '#libs/domain';
import { type KnownAccount, standingBy } from './account-standing';
import type { Payee } from './payee';

const payee = (kycStatus: KycStatus, kycReason: string | null = null): Payee =>
  ({ id: 'p', kycStatus, kycReason, onboardingStatus: 'in_progress' }) as Payee;
const account = (more: Partial<KnownAccount>): KnownAccount => ({
  ...{ kind: 'account', payable: false, kyc: 'pending', kycReason: null, onboarding: 'restricted', country: null },
  ...more,
});

const REJECTED: Partial<KnownAccount> = { kyc: 'rejected', kycReason: 'blurred' };

type Standing = [KycStatus, string | null, OnboardingStatus];

describe('how a payee stands by its account', () => {
  test.each<[string, Payee, Partial<KnownAccount>, Standing]>([
    ['a payable account is a verified one', payee('pending'), { payable: true }, ['verified', null, 'restricted']],
    ['as far as several steps lead', payee('not_started'), { payable: true }, ['verified', null, 'restricted']],
    ['a rejection comes with its reason', payee('pending'), REJECTED, ['rejected', 'blurred', 'restricted']],
    ['a later reason takes its place', payee('rejected', 'expired'), REJECTED, ['rejected', 'blurred', 'restricted']],
    ['a mended one has none', payee('rejected', 'expired'), {}, ['pending', null, 'restricted']],
    ['no step leads back to the start', payee('verified'), { kyc: 'not_started' }, ['verified', null, 'restricted']],
    [
      'and what was rejected keeps its reason then',
      payee('rejected', 'expired'),
      { kyc: 'not_started' },
      ['rejected', 'expired', 'restricted'],
    ],
  ])('%s', (_, before, says, [kycStatus, kycReason, onboardingStatus]) => {
    expect(standingBy(account(says), before)).toEqual({ ...before, kycStatus, kycReason, onboardingStatus });
  });
});
