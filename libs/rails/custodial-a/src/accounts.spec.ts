/** Accounts at Stripe: who may be paid there, and what somebody fills in on its pages. */
import type { AccountRequest, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxRequest } from '#libs/provider-sandbox';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { stripeWorld } from './custodial-a.world.fake';

const OPEN = { method: 'POST', path: '/v1/accounts' };
const VISIT = { returnUrl: 'https://shop.example/done', refreshUrl: 'https://pay.example/again', locale: null };

describe('accounts of custodial_a', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof stripeWorld>>;
  let rail: CustodialARail;
  const opened: SandboxRequest[] = [];

  beforeEach(async () => {
    opened.length = 0;
    clock = new FixedClock();
    world = await stripeWorld(clock, (request) => {
      if (request.method === OPEN.method && request.path === OPEN.path) opened.push(request);
    });
    rail = made();
  });
  afterEach(() => world.close?.());

  const made = (changes: Record<string, string> = {}): CustodialARail =>
    custodialA.create({
      ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: { ...world.settings, ...changes } },
    }) as Rail as CustodialARail;

  const request = (country = 'DE'): AccountRequest => ({
    key: 'account-1',
    payee: { ...testOrder(custodialA.traits).payee, country },
  });

  async function openedAs(asked: AccountRequest): Promise<string> {
    const answer = await rail.openAccount(asked);
    return answer.kind === 'opened' ? answer.accountId : answer.kind;
  }

  it('are opened with payouts that we alone make', async () => {
    const asked = request();
    const id = await openedAs(asked);
    expect(Object.fromEntries(new URLSearchParams(opened[0]?.body))).toEqual({
      ...{ type: 'express', business_type: 'individual', country: 'DE', email: asked.payee.email },
      ...{ 'capabilities[transfers][requested]': 'true', 'settings[payouts][schedule][interval]': 'manual' },
      ...{ 'metadata[opening]': 'account-1' },
    });
    expect(await rail.readAccount(id)).toMatchObject({ payable: false, kyc: 'not_started', onboarding: 'not_started' });
  });

  it('are opened under the recipient agreement where the platform pays across borders', async () => {
    rail = made({ CUSTODIAL_A_CROSS_BORDER: 'US:USD' });
    await rail.openAccount(request('US'));
    expect(opened[0]?.body).toContain('service_agreement%5D=recipient');
  });

  it('are found again when the answer was lost and Stripe has forgotten the key', async () => {
    const asked = request();
    world.stripe.faults.ask({ effect: 'cut_after', match: OPEN });
    expect(await openedAs(asked)).toBe('unknown');
    clock.advance(2 * 86_400);
    expect(await openedAs(asked)).toMatch(/^acct_/);
    expect(opened).toHaveLength(1);
  });

  it('that Stripe empties by itself are not paid', async () => {
    world.stripe.hasAccount({ id: 'acct_daily', interval: 'daily' });
    expect(await rail.readAccount('acct_daily')).toMatchObject({ kind: 'unconfirmed' });
  });

  it.each([
    [{ standing: 'pending' as const }, { kyc: 'pending', onboarding: 'complete', payable: false }],
    [{ standing: 'incomplete' as const }, { kyc: 'not_started', onboarding: 'not_started', payable: false }],
    [
      { standing: 'rejected' as const, reason: 'The document could not be read.' },
      { kyc: 'rejected', kycReason: 'The document could not be read.', onboarding: 'restricted' },
    ],
    [
      { standing: 'rejected' as const, reason: null },
      { kyc: 'rejected', kycReason: 'rejected.other', details: { isRejectedForGood: true } },
    ],
  ])('%p reads as %p', async (changes, said) => {
    world.stripe.hasAccount({ id: 'acct_other', ...changes });
    expect(await rail.readAccount('acct_other')).toMatchObject(said);
  });

  it('that Stripe wants once more are not rejected for good', async () => {
    world.stripe.hasAccount({ id: 'acct_again', standing: 'rejected', reason: 'The document could not be read.' });
    const read = await rail.readAccount('acct_again');
    expect(read).not.toHaveProperty('details.isRejectedForGood');
  });

  it('are filled in on a page that is good for one visit, and leads back', async () => {
    const id = await openedAs(request());
    const link = await rail.onboardingLink(id, VISIT);
    const url = link.kind === 'link' ? link.url : '';
    const page = await (await fetch(url)).text();
    expect(page).toContain('Bank account');
    const again = await fetch(url, { redirect: 'manual' });
    expect([again.status, again.headers.get('location')]).toEqual([303, VISIT.refreshUrl]);
    const body = new URLSearchParams({ name: 'Grace Hopper', iban: 'DE89370400440532013000', outcome: 'approve' });
    const done = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    expect(done.headers.get('location')).toBe(VISIT.returnUrl);
    expect(await rail.readAccount(id)).toMatchObject({
      ...{ payable: true, kyc: 'verified' },
      details: { name: 'Grace Hopper', last4: '3000' },
    });
  });
});
