import type { Payee } from '#libs/payees';
import type { PageLink } from '../page-link';
import { leadsOn, VisitOnboarding } from './visit-onboarding';

const PAYEE = { id: 'ada', email: 'ada@example.com', provider: 'rail', payable: false, kycStatus: 'pending' };

describe('the page on which a payee gets ready', () => {
  const stage = async (
    payee: Partial<Payee>,
    blockers: string[] = ['not_payable'],
    custody = 'custodial',
    testMode = false,
  ): Promise<string | undefined> => {
    const visits = new VisitOnboarding(
      { byId: async () => ({ client: { status: 'active', testMode } }) } as never,
      { run: async () => ({ payee: { ...PAYEE, ...payee }, method: null, blockers }) } as never,
      { find: () => ({ rail: {}, traits: { custody } }) } as never,
      { take: () => true } as never,
    );
    return (await visits.run({ kind: 'onboarding', clientId: 'one', payeeId: 'ada' } as PageLink))?.stage;
  };

  test.each([
    ['checking', 'complete'],
    ['restricted', 'in_progress'],
    ['restricted', 'restricted'],
    ['restricted', 'not_started'],
  ] as const)('says %s of who is looked at, and whose details are %s', async (said, onboardingStatus) => {
    expect(await stage({ onboardingStatus })).toBe(said);
  });

  test('says checking of who is pending in a test, where nothing is handed in', async () => {
    expect(await stage({ onboardingStatus: 'in_progress' }, ['not_payable'], 'custodial', true)).toBe('checking');
    expect(await stage({ onboardingStatus: 'restricted' }, ['not_payable'], 'custodial', true)).toBe('restricted');
  });

  test.each([
    ['ready', 'custodial', []],
    ['details', 'custodial', ['missing_name']],
    ['nothing', 'claim', []],
    ['details', 'claim', ['missing_email']],
    ['blocked', 'custodial', ['missing_name', 'route_blocked']],
    ['no_rail', 'claim', ['missing_country', 'no_rail']],
  ])('says %s of who is payable over a rail of custody %s, but for %j', async (said, custody, blockers) => {
    expect(await stage({ payable: true, kycStatus: 'verified' }, blockers, custody)).toBe(said);
  });

  test.each(['ready', 'details'] as const)(
    'lets whoever came from their wallet change an account that is %s',
    (stage) => {
      const from = (kind: PageLink['kind']): boolean => leadsOn({ stage, link: { kind } as PageLink });
      expect([from('account'), from('onboarding')]).toEqual([true, false]);
    },
  );

  test('asks first for what is theirs to do', async () => {
    expect(await stage({ kycStatus: 'not_started' }, ['missing_name', 'not_payable'])).toBe('start');
  });
});
