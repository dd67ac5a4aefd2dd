/**
 * A ready account is changed only by somebody who proved to be its payee, and by nobody who was merely handed a link (ADR 65). The account
 * is adopted here while a click of such a link is under way, which began before there was any.
 */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PageLinkStore } from '../db/page-link.store';
import { PortalModule } from '../portal.module';
import { ContinueOnboarding } from './continue-onboarding';
import { FindPageLink } from './find-page-link';
import { type Visit, VisitOnboarding } from './visit-onboarding';

const NEW = { kind: 'account', payable: false, kyc: 'not_started', kycReason: null, onboarding: 'not_started' };

describe('a link that was handed out, of a payee whose ready account is adopted meanwhile', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let led: string[];
  let whileOpening: () => Promise<unknown>;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    led = [];
    whileOpening = async () => undefined;
    payee = await world.payee(client, { country: 'FR', email: 'anna@example.com' });
    const openAccount = async ({ key }: { key: string }) => {
      await whileOpening();
      world.rail.accounts.set(`acct_${key}`, { ...NEW, country: 'FR' } as never);
      return { kind: 'opened', accountId: `acct_${key}` };
    };
    const onboardingLink = async (accountId: string) => {
      led.push(accountId);
      return { kind: 'link', url: `https://rail.example/${accountId}`, expiresAt: null };
    };
    Object.assign(world.rail, { openAccount, onboardingLink });
  });

  const look = async (): Promise<Visit> => {
    const whose = { clientId: client.id, payeeId: payee.id, returnUrl: 'https://app.example/', frameOrigin: null };
    const { token } = await world.get(PageLinkStore).add('onboarding', whose);
    const link = await world.get(FindPageLink).onboarding(token, false);
    const visit = link && (await world.get(VisitOnboarding).run(link));
    if (!visit) throw new Error('The link opens nothing.');
    return visit;
  };
  const goesOn = async (visit: Visit): Promise<string> => (await world.get(ContinueOnboarding).run(visit, 'en')).kind;

  test('leads nowhere if the click waits for the payee, whom the adoption holds', async () => {
    const visit = await look();
    expect(visit.stage).toBe('start');
    await world.adopt(client, payee);
    expect(await goesOn(visit)).toBe('shown');
    expect(led).toEqual([]);
  });

  test('leads nowhere if it is adopted while the rail opens another one for the click', async () => {
    const visit = await look();
    whileOpening = () => world.adopt(client, payee);
    expect(await goesOn(visit)).toBe('shown');
    expect(led).toEqual([]);
  });
});
