/** In a wallet that closes, for its payee has another address, a link to change their account is asked for at the same moment. */
import type { Client } from '#libs/clients';
import { type Payee, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { FindPageLink } from './find-page-link';
import { ContinueOnboarding } from './continue-onboarding';
import { SetUpAccount } from './set-up-account';
import { VisitOnboarding } from './visit-onboarding';
import { visitorOf } from './wallets-open.fake';

describe('a link with which a payee changes their account', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    // One of those who want no cool-down: with one it would be the last line.
    client = await world.client({ coolDownSeconds: 0, rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    payee = await world.payee(client, { country: 'FR', email: 'old@example.com' });
    await world.adopt(client, payee);
    const onboardingLink = async () => ({ kind: 'link', url: 'https://rail.example/account', expiresAt: null });
    Object.assign(world.rail, { onboardingLink });
  });

  const changes = (): Promise<Payee> => {
    const { externalId, name, country } = payee;
    return world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' });
  };

  /** Whether the old mailbox is led on to the rail's pages, where it says to which account the money goes. */
  const leadsOn = async (path: string): Promise<boolean> => {
    const link = await world.get(FindPageLink).onboarding(path.split('/').at(-1) as string, false);
    const visit = link && (await world.get(VisitOnboarding).run(link));
    return visit !== null && (await world.get(ContinueOnboarding).run(visit, 'en')).kind === 'go';
  };

  test('made before the change leads nowhere after it', async () => {
    const path = await world.get(SetUpAccount).run(await visitorOf(world, client, payee));
    expect(await leadsOn(path)).toBe(true);
    await changes();
    expect(await leadsOn(path)).toBe(false);
  });

  test('asked for before the change, and made after it, leads nowhere', async () => {
    const who = await visitorOf(world, client, payee);
    await changes(); // the process stands still here
    const path = await world
      .get(SetUpAccount)
      .run(who)
      .catch(() => '/onboarding/none');
    expect(await leadsOn(path)).toBe(false);
  });

  test('is handed on to nobody whose payee changed while their rail made it', async () => {
    const path = await world.get(SetUpAccount).run(await visitorOf(world, client, payee));
    const onboardingLink = async () => {
      await changes();
      return { kind: 'link', url: 'https://rail.example/account', expiresAt: null };
    };
    Object.assign(world.rail, { onboardingLink });
    expect(await leadsOn(path)).toBe(false);
  });

  describe('of a payee who has no account yet, and a client that wants a cool-down', () => {
    const NEW = { kind: 'account', payable: false, kyc: 'not_started', kycReason: null, onboarding: 'not_started' };
    let careful: Client;
    beforeAll(async () => {
      careful = await world.client({ rateLimitPerMinute: 1_000 });
    });
    beforeEach(async () => {
      client = careful;
      payee = await world.payee(client, { country: 'FR', email: 'old@example.com' });
      const openAccount = async ({ key }: { key: string }) => {
        world.rail.accounts.set(`acct_${key}`, { ...NEW, country: 'FR' } as never);
        return { kind: 'opened', accountId: `acct_${key}` };
      };
      Object.assign(world.rail, { openAccount });
    });

    test('asked for before the change, and made after it, leads nowhere', async () => {
      const who = await visitorOf(world, client, payee);
      await changes(); // the process stands still here
      const path = await world
        .get(SetUpAccount)
        .run(who)
        .catch(() => '/onboarding/none');
      expect(await leadsOn(path)).toBe(false);
    });

    test('clicked before the change, and carried out after it, leads nowhere', async () => {
      const path = await world.get(SetUpAccount).run(await visitorOf(world, client, payee));
      const link = await world.get(FindPageLink).onboarding(path.split('/').at(-1) as string, false);
      const visit = link && (await world.get(VisitOnboarding).run(link));
      if (!visit) throw new Error('The link opens nothing.');
      await changes(); // the click waits for the payee, whom the change holds
      expect((await world.get(ContinueOnboarding).run(visit, 'en')).kind).not.toBe('go');
    });
  });
});
