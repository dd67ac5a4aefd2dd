/** A payee is blocked while a click of theirs is under way that leads to where their account is changed: blocked, they are led nowhere. */
import type { Client } from '#libs/clients';
import { BlockPayee, type Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { ContinueOnboarding } from './continue-onboarding';
import { FindPageLink } from './find-page-link';
import { SetUpAccount } from './set-up-account';
import { type Visit, VisitOnboarding } from './visit-onboarding';
import { visitorOf } from './wallets-open.fake';

describe('a payee who is blocked while they click', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let whileLinking: () => Promise<unknown>;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    whileLinking = async () => undefined;
    payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const onboardingLink = async () => {
      await whileLinking();
      return { kind: 'link', url: 'https://rail.example/account', expiresAt: null };
    };
    Object.assign(world.rail, { onboardingLink });
  });

  const block = (): Promise<unknown> => world.get(BlockPayee).run(payee.id, true, 'looked into');
  const look = async (): Promise<Visit> => {
    const path = await world.get(SetUpAccount).run(await visitorOf(world, client, payee));
    const link = await world.get(FindPageLink).onboarding(path.split('/').at(-1) as string, false);
    const visit = link && (await world.get(VisitOnboarding).run(link));
    if (!visit) throw new Error('The link opens nothing.');
    return visit;
  };
  const goesOn = async (visit: Visit): Promise<string> => (await world.get(ContinueOnboarding).run(visit, 'en')).kind;

  test('is not led to their account, if the click waits for the payee, whom the block holds', async () => {
    const visit = await look();
    await block();
    expect(await goesOn(visit)).toBe('shown');
  });

  test('is not led to their account, if they are blocked while the rail makes the link', async () => {
    const visit = await look();
    whileLinking = block;
    expect(await goesOn(visit)).toBe('shown');
  });
});
