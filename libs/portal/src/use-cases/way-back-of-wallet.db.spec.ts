/** The way back from a rail's pages, of a click in a wallet: it is over with the wallet, as the link is that it was made from. */
import type { Client } from '#libs/clients';
import { type Payee, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import type { OnboardingVisit } from '#libs/rail-kit';
import { PageLinkStore } from '../db/page-link.store';
import { PortalModule } from '../portal.module';
import { ContinueOnboarding } from './continue-onboarding';
import { FindPageLink } from './find-page-link';
import { SetUpAccount } from './set-up-account';
import { type Visit, VisitOnboarding } from './visit-onboarding';
import { VisitPortal } from './visit-portal';
import { visitorOf } from './wallets-open.fake';

const NEW = {
  kind: 'account',
  payable: false,
  kyc: 'not_started',
  kycReason: null,
  onboarding: 'not_started',
} as const;

describe('the way back of a click in a wallet', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let visits: OnboardingVisit[];
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ rateLimitPerMinute: 1_000, coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    visits = [];
    payee = await world.payee(client, { country: 'FR', email: 'old@example.com' });
    const openAccount = async ({ key }: { key: string }) => {
      world.rail.accounts.set(`acct_${key}`, { ...NEW, country: 'FR' });
      return { kind: 'opened', accountId: `acct_${key}` };
    };
    const onboardingLink = async (_: string, visit: OnboardingVisit) => {
      visits.push(visit);
      return { kind: 'link', url: 'https://rail.example/account', expiresAt: null };
    };
    Object.assign(world.rail, { openAccount, onboardingLink });
  });

  const look = async (path: string): Promise<Visit | null> => {
    const link = await world.get(FindPageLink).onboarding(path.split('/').at(-1) as string, false);
    return link && world.get(VisitOnboarding).run(link);
  };
  /** Whether whoever has this address is led on to the rail's pages. */
  const leadsOn = async (path: string): Promise<boolean> => {
    const visit = await look(path);
    return visit !== null && (await world.get(ContinueOnboarding).run(visit, 'en')).kind === 'go';
  };

  test('leads on while the wallet is open', async () => {
    expect(await leadsOn(await world.get(SetUpAccount).run(await visitorOf(world, client, payee)))).toBe(true);
    expect(await leadsOn(visits[0]?.returnUrl ?? '')).toBe(true);
  });

  test('leads nowhere once somebody left the wallet, for the browser still has its address', async () => {
    const who = await visitorOf(world, client, payee);
    const path = await world.get(SetUpAccount).run(who);
    expect(await leadsOn(path)).toBe(true);
    await world.get(VisitPortal).leave(who);
    expect(await leadsOn(path)).toBe(false);
    expect(await leadsOn(visits[0]?.returnUrl ?? '')).toBe(false);
  });

  test('leads nowhere once somebody left the wallet, be it the way back of a way back', async () => {
    const who = await visitorOf(world, client, payee);
    expect(await leadsOn(await world.get(SetUpAccount).run(who))).toBe(true);
    expect(await leadsOn(visits[0]?.returnUrl ?? '')).toBe(true);
    await world.get(VisitPortal).leave(who);
    expect(await leadsOn(visits[1]?.returnUrl ?? '')).toBe(false);
  });

  test('leads nowhere if somebody left the wallet while the click waited, nor does a click in a wallet that they left', async () => {
    const who = await visitorOf(world, client, payee);
    const visit = await look(await world.get(SetUpAccount).run(who));
    if (!visit) throw new Error('The link opens nothing.');
    await world.get(VisitPortal).leave(who); // both clicks were on their way by then
    expect((await world.get(ContinueOnboarding).run(visit, 'en')).kind).not.toBe('go');
    expect(await leadsOn(await world.get(SetUpAccount).run(who))).toBe(false);
    expect(
      await world.db.rows(
        'SELECT kind FROM page_links WHERE payee_id = $1 AND used_at IS NULL AND expires_at > now()',
        [payee.id],
      ),
    ).toEqual([]);
  });

  test('stays open where a link of the client led there, which no wallet has to do with', async () => {
    const returnUrl = 'https://app.example/';
    const link = { clientId: client.id, payeeId: payee.id, returnUrl, frameOrigin: null };
    expect(await leadsOn((await world.get(PageLinkStore).add('onboarding', link)).token)).toBe(true);
    await world.get(VisitPortal).leave(await visitorOf(world, client, payee));
    expect(await leadsOn(visits[0]?.returnUrl ?? '')).toBe(true);
  });

  test('leads nowhere once the payee has another address, as the link that it was made from', async () => {
    const path = await world.get(SetUpAccount).run(await visitorOf(world, client, payee));
    expect(await leadsOn(path)).toBe(true);
    const { externalId } = payee;
    await world.get(UpsertPayee).run(client, { externalId, email: 'new@example.com' });
    expect(await leadsOn(path)).toBe(false);
    expect(await leadsOn(visits[0]?.returnUrl ?? '')).toBe(false);
  });
});
