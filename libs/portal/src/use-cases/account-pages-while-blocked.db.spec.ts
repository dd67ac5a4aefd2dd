/** A payee is blocked, or their client suspended, while a click is under way that leads to where their account is changed: it leads nowhere. */
import type { Client } from '#libs/clients';
import { BlockPayee, type Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { ContinueOnboarding } from './continue-onboarding';
import { FindPageLink } from './find-page-link';
import { SetUpAccount } from './set-up-account';
import { type Visit, VisitOnboarding } from './visit-onboarding';
import { visitorOf } from './wallets-open.fake';

describe('a payee who clicks on the way to their account', () => {
  let world: MoneyWorld;
  let client: Client;
  let opened: number;
  let payee: Payee;
  let whileLinking: () => Promise<unknown>;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    whileLinking = async () => undefined;
    opened = 0;
    client = await world.client({ rateLimitPerMinute: 1_000 });
    payee = await world.payee(client, { country: 'FR' });
    const openAccount = async () => {
      opened += 1;
      return { kind: 'unknown', detail: 'not opened here' };
    };
    const onboardingLink = async () => {
      await whileLinking();
      return { kind: 'link', url: 'https://rail.example/account', expiresAt: null };
    };
    Object.assign(world.rail, { openAccount, onboardingLink });
  });

  const STOPS: Record<string, () => Promise<unknown>> = {
    'they are blocked': () => world.get(BlockPayee).run(payee.id, true, 'looked into'),
    'their client is suspended': () => world.setStatus(client, 'suspended'),
  };
  const look = async (): Promise<Visit> => {
    const path = await world.get(SetUpAccount).run(await visitorOf(world, client, payee));
    const link = await world.get(FindPageLink).onboarding(path.split('/').at(-1) as string, false);
    const visit = link && (await world.get(VisitOnboarding).run(link));
    if (!visit) throw new Error('The link opens nothing.');
    return visit;
  };
  const goesOn = async (visit: Visit): Promise<string> => (await world.get(ContinueOnboarding).run(visit, 'en')).kind;

  test('is led there while nothing stops them', async () => {
    await world.adopt(client, payee);
    expect(await goesOn(await look())).toBe('go');
  });

  describe.each(Object.keys(STOPS))('while %s', (cause) => {
    const stop = (): Promise<unknown> => STOPS[cause]?.() ?? Promise.reject(new Error(cause));

    test('is not led there, if the click waits for the payee, whom somebody holds', async () => {
      await world.adopt(client, payee);
      const visit = await look();
      await stop();
      expect(await goesOn(visit)).toBe('shown');
    });

    test('is not led there, if that is so once the rail has made the link', async () => {
      await world.adopt(client, payee);
      const visit = await look();
      whileLinking = stop;
      expect(await goesOn(visit)).toBe('shown');
    });

    test('gets no account either', async () => {
      const visit = await look();
      await stop();
      expect(await goesOn(visit)).toBe('shown');
      expect(opened).toBe(0);
    });
  });
});
