/** Accounts at Adyen: who may be paid there, how one is opened, and what somebody fills in on its pages. */
import type { AccountRequest, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxRequest } from '#libs/provider-sandbox';
import type { AdyenHolder } from '../testing/src';
import { custodialB } from './custodial-b';
import type { CustodialBRail } from './custodial-b.rail';
import { adyenWorld, PAYEE } from './custodial-b.world.fake';
import { splitName } from './payee-name';

const VISIT = { returnUrl: 'https://shop.example/done', refreshUrl: 'https://pay.example/again', locale: 'de' };
const STEPS = ['/lem/v4/legalEntities', '/bcl/v2/accountHolders', '/bcl/v2/balanceAccounts'];

describe('accounts of custodial_b', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof adyenWorld>>;
  let rail: CustodialBRail;
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  const calls: SandboxRequest[] = [];

  beforeEach(async () => {
    calls.length = 0;
    clock = new FixedClock();
    store = memoryRailStores(clock)('custodial_b');
    world = await adyenWorld(clock, (request) => void calls.push(request));
    rail = anotherProcess();
  });
  afterEach(() => world.close?.());

  const anotherProcess = (changes: Record<string, string> = {}): CustodialBRail =>
    custodialB.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: { ...world.settings, ...changes },
    }) as Rail as CustodialBRail;

  const payee = testOrder(custodialB.traits).payee;
  const request = (changes: Partial<AccountRequest['payee']> = {}): AccountRequest => ({
    key: 'account-1',
    payee: { ...payee, name: 'Ada Byron Lovelace', country: 'DE', ...changes },
  });
  const posted = (path: string): unknown[] =>
    calls.filter((call) => call.method === 'POST' && call.path === path).map(({ body }) => JSON.parse(body) as unknown);

  async function openedAs(asked: AccountRequest, by = rail): Promise<string> {
    const answer = await by.openAccount(asked);
    return answer.kind === 'opened' ? answer.accountId : answer.kind;
  }

  it('are a legal entity, an account holder and a balance account, each with our key as its reference', async () => {
    const id = await openedAs(request());
    const [entity] = world.adyen.state.entities.filter(({ reference }) => reference === 'account-1');
    const [reference, requested] = ['account-1', { requested: true }];
    expect(STEPS.map((path) => posted(path))).toEqual([
      [
        {
          ...{ type: 'individual', reference },
          individual: {
            ...{ name: { firstName: 'Ada Byron', lastName: 'Lovelace' }, email: payee.email },
            residentialAddress: { country: 'DE' },
          },
        },
      ],
      [
        {
          ...{ legalEntityId: entity?.id, reference },
          capabilities: {
            ...{ receiveFromBalanceAccount: requested, sendToTransferInstrument: requested },
            sendToBalanceAccount: requested,
          },
        },
      ],
      [{ accountHolderId: id, reference }],
    ]);
    expect(await rail.readAccount(id)).toMatchObject({ payable: false, kyc: 'not_started', onboarding: 'not_started' });
  });

  it.each([
    ['Ada Byron Lovelace', { firstName: 'Ada Byron', lastName: 'Lovelace' }],
    ['  Ada   Lovelace ', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['Sukarno', { firstName: 'Sukarno', lastName: 'Sukarno' }],
    ['  ', null],
    [null, null],
  ])('have a name of two parts: %p', (name, parts) => {
    expect(splitName(name)).toEqual(parts);
  });

  it.each([{ name: null }, { country: null }])('are not opened for somebody with %p', async (changes) => {
    expect(await rail.openAccount(request(changes))).toMatchObject({ kind: 'refused', failure: 'permanent' });
    expect(STEPS.flatMap((path) => posted(path))).toEqual([]);
  });

  it.each([
    ['/bcl/v2/accountHolders', 'cut_after', 1],
    ['/bcl/v2/balanceAccounts', 'cut_after', 1],
    ['/bcl/v2/accountHolders', 'too_many', 1],
    ['/bcl/v2/balanceAccounts', 'too_many', 1],
  ] as const)('are found again at once after %s met %s', async (path, effect, made) => {
    world.adyen.faults.ask({ effect, match: { method: 'POST', path } });
    expect(['unknown', 'not_now']).toContain(await openedAs(request()));
    expect(await openedAs(request(), anotherProcess())).toMatch(/^AH/);
    expect(posted(path)).toHaveLength(made);
  });

  it.each(STEPS)('wait a minute for what may still arrive at Adyen, and make it then, once: %s', async (path) => {
    world.adyen.faults.ask({ effect: 'cut_before', match: { method: 'POST', path } });
    expect(await openedAs(request())).toBe('unknown');
    expect(await openedAs(request(), anotherProcess())).toBe('unknown');
    expect(posted(path)).toEqual([]);
    clock.advance(61);
    const both = await Promise.all([openedAs(request()), openedAs(request(), anotherProcess())]);
    expect(both.filter((id) => id.startsWith('AH'))).not.toEqual([]);
    expect(await openedAs(request(), anotherProcess())).toMatch(/^AH/);
    expect(posted(path)).toHaveLength(1);
  });

  it('are looked for on every page that Adyen has', async () => {
    for (let count = 0; count < 250; count += 1) world.adyen.hasHolder({ id: `AH_${count}` });
    world.adyen.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/bcl/v2/accountHolders' } });
    await rail.openAccount(request());
    expect(await openedAs(request())).toMatch(/^AH[0-9A-F]{24}$/);
    expect(posted('/bcl/v2/accountHolders')).toHaveLength(1);
  });

  it('are refused for our credentials, and opened under the right ones', async () => {
    const stranger = anotherProcess({ CUSTODIAL_B_LEM_API_KEY: 'key_of_somebody_else' });
    expect(await stranger.openAccount(request())).toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(await openedAs(request())).toMatch(/^AH/);
    expect(await stranger.readAccount(PAYEE)).toMatchObject({ kind: 'unknown' });
    expect(await stranger.onboardingLink(PAYEE, VISIT)).toMatchObject({ kind: 'refused', failure: 'credentials' });
  });

  const ERROR = { standing: 'rejected', reason: 'The document could not be read.' } as const;
  it.each<[Partial<AdyenHolder>, object]>([
    [{ standing: 'pending' }, { kyc: 'pending', onboarding: 'complete', payable: false }],
    [{ standing: 'incomplete' }, { kyc: 'not_started', payable: false }],
    [ERROR, { kyc: 'rejected', kycReason: 'The document could not be read.', onboarding: 'restricted' }],
    [{ standing: 'rejected' }, { kyc: 'rejected', kycReason: null, details: { isRejectedForGood: true } }],
    [{ status: 'suspended' }, { kyc: 'rejected', kycReason: 'The account is suspended.', payable: false }],
    [{ capabilities: ['sendToTransferInstrument'] }, { payable: false, kyc: 'pending' }],
  ])('%p reads as %p', async (changes, said) => {
    world.adyen.hasHolder({ id: 'AH_OTHER', ...changes });
    expect(await rail.readAccount('AH_OTHER')).toMatchObject(said);
  });

  it('of another platform are not confirmed', async () => {
    const elsewhere = anotherProcess({ CUSTODIAL_B_BALANCE_PLATFORM: 'OtherPlatform' });
    expect(await elsewhere.readAccount(PAYEE)).toMatchObject({ kind: 'unconfirmed' });
    expect(await elsewhere.onboardingLink(PAYEE, VISIT)).toMatchObject({ kind: 'unconfirmed' });
  });

  it('are read within one deadline, however many questions that takes', async () => {
    const hurried = anotherProcess({ CUSTODIAL_B_TIMEOUT_MS: '1500' });
    await hurried.readAccount(PAYEE);
    for (const path of ['/bcl/v2/accountHolders/', '/lem/v4/legalEntities/'])
      world.adyen.faults.ask({ effect: 'slow', seconds: 1, match: { method: 'GET', path } });
    expect(await hurried.readAccount(PAYEE)).toMatchObject({ kind: 'unknown' });
    expect(await rail.readAccount(PAYEE, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'unknown' });
  });

  async function filledIn(id: string, outcome: string, reason = ''): Promise<Response> {
    const link = await rail.onboardingLink(id, VISIT);
    const url = link.kind === 'link' ? link.url : '';
    expect(await (await fetch(url)).text()).toContain('Bank account');
    const body = new URLSearchParams({
      first: 'Grace',
      last: 'Hopper',
      iban: 'DE89370400440532013000',
      outcome,
      reason,
    });
    return fetch(url, { method: 'POST', body, redirect: 'manual' });
  }

  it('are filled in on a page that leads back, rejected with a reason, and mended', async () => {
    const id = await openedAs(request());
    expect((await filledIn(id, 'reject', 'The photograph is blurred.')).headers.get('location')).toBe(VISIT.returnUrl);
    expect(await rail.readAccount(id)).toMatchObject({ kyc: 'rejected', kycReason: 'The photograph is blurred.' });
    await filledIn(id, 'approve');
    expect(await rail.readAccount(id)).toMatchObject({
      ...{ payable: true, kyc: 'verified', kycReason: null, country: 'DE' },
      details: { name: 'Grace Hopper', last4: '3000', brand: 'ADYEN TEST BANK' },
    });
    expect(posted(`/lem/v4/legalEntities/${world.adyen.books.holder(id).legalEntityId}/onboardingLinks`)[0]).toEqual({
      ...{ redirectUrl: VISIT.returnUrl, locale: 'de-DE' },
    });
  });

  it('have links that are good for one visit and for four minutes, and tell when they end', async () => {
    const link = await rail.onboardingLink(PAYEE, VISIT);
    const [url, expiresAt] = link.kind === 'link' ? [link.url, link.expiresAt] : ['', null];
    expect(expiresAt).toEqual(new Date(clock.now().getTime() + 240_000));
    expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([200, 410]);
    const late = await rail.onboardingLink(PAYEE, VISIT);
    clock.advance(241);
    expect((await fetch(late.kind === 'link' ? late.url : '')).status).toBe(410);
  });
});
