import type { Payee } from '#libs/payees';
import type { ListedPayout } from '#libs/payouts';
import type { PageLink } from '../page-link';
import { leadsOn, refusedStep, type Visit, VisitOnboarding } from './visit-onboarding';

const PAYEE = { id: 'ada', email: 'ada@example.com', provider: 'rail', payable: false, kycStatus: 'pending' };

describe('the page on which a payee gets ready', () => {
  interface Met {
    blockers?: string[];
    custody?: string;
    testMode?: boolean;
    held?: Partial<ListedPayout>[];
  }
  const visitOf = async (
    payee: Partial<Payee>,
    { blockers = ['not_payable'], custody = 'custodial', testMode = false, held = [] }: Met = {},
  ): Promise<Visit | null> => {
    const visits = new VisitOnboarding(
      { byId: async () => ({ client: { status: 'active', testMode } }) } as never,
      { of: async () => ({ payee: { ...PAYEE, ...payee }, method: null, blockers }) } as never,
      { find: () => ({ rail: {}, traits: { custody } }) } as never,
      { list: async () => held } as never,
    );
    return visits.run({ kind: 'onboarding', clientId: 'one', payeeId: 'ada' } as PageLink);
  };
  const stage = async (
    payee: Partial<Payee>,
    blockers: string[] = ['not_payable'],
    custody = 'custodial',
    testMode = false,
  ): Promise<string | undefined> => (await visitOf(payee, { blockers, custody, testMode }))?.stage;

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
      const from = (kind: PageLink['kind'], hasPages = true): boolean =>
        leadsOn({ stage, link: { kind } as PageLink, account: null, hasPages });
      expect([from('account'), from('onboarding'), from('account', false)]).toEqual([true, false, false]);
    },
  );

  test.each([
    [true, 'custodial'],
    [false, 'claim'],
  ])('has pages on which an account is changed, %s, over a rail of custody %s', async (has, custody) => {
    const payee = { payable: true, kycStatus: 'verified' } as const;
    const visit = await visitOf(payee, { blockers: ['missing_email'], custody, testMode: true });
    expect([visit?.stage, visit?.hasPages]).toEqual(['details', has]);
  });

  test('leads nobody on whom the provider rejected for good', () => {
    const link = { kind: 'onboarding' } as PageLink;
    const of = (account: object): boolean =>
      leadsOn({ stage: 'rejected', link, account: account as Visit['account'], hasPages: true });
    expect([of({}), of({ isRejectedForGood: true })]).toEqual([true, false]);
  });

  test.each([
    [false, []],
    [false, [{ status: 'held', statusReason: 'not_payable', submittedAt: null }]],
    [true, [{ status: 'held', statusReason: 'not_payable: closed', submittedAt: new Date(0) }]],
  ] as const)('knows of a payment that a ready account did not take: %s', async (has, held) => {
    const ready = { payable: true, kycStatus: 'verified' } as const;
    expect((await visitOf(ready, { blockers: [], held: [...held] }))?.hasRefused).toBe(has);
  });

  test.each([
    ['change', 'account', {}],
    ['as_it_is', 'account', { isOutlived: true }],
    ['as_it_is', 'onboarding', {}],
    ['as_it_is', 'onboarding', { hasPages: false }],
    ['come_back', 'return', {}],
    ['tried_again', 'onboarding', { client: { autoRelease: ['not_payable'] } }],
    [null, 'return', { client: { autoRelease: ['not_payable'] } }],
    [null, 'account', { hasRefused: false }],
  ] as const)('of a payment that was not taken asks for %s, behind a link of kind %s: %j', (step, kind, of) => {
    const visit = { stage: 'ready', hasPages: true, hasRefused: true, isOutlived: false, client: { autoRelease: [] } };
    expect(refusedStep({ ...visit, account: null, link: { kind }, ...of } as never)).toBe(step);
  });

  test('asks first for what is theirs to do', async () => {
    expect(await stage({ kycStatus: 'not_started' }, ['missing_name', 'not_payable'])).toBe('start');
  });
});
