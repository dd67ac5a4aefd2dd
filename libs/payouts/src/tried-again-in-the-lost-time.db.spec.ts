/**
 * A backup is of the minutes in which a payout was on its way. After it its rail refused it for now, and it was tried again, as the service does by
 * itself: the restored database knows the name of the first try only. What waits for its payee has to come to them.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { SubmitFact } from '#libs/rail-kit';
import { accepted, claimed, isRestored, legsScene, type MoneyWorld, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

describe('a payout of a restored database that was tried again in the time that was lost', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const now = ({ id }: Payout) => world.payout(id);
  /** As it was when the backup was made, and what its rail says of the next try. */
  const restored = async (country: string, said: SubmitFact): Promise<Payout> => {
    says({ first: accepted('ref-1') });
    const payout = await pay(country);
    await drive(payout);
    expect(await now(payout)).toMatchObject({ status: 'submitted', providerRef: 'ref-1' });
    await isRestored(world);
    knows(payout, said);
    for (let times = 0; times < 3; times += 1) {
      await world.age(payout.id, 120);
      await drive(payout);
    }
    return payout;
  };

  test('lets its payee say where to', async () => {
    const payout = await restored('IT', { ...waits(), providerRef: 'ref-2' } as SubmitFact);
    await world.get(BeginLeg).run(await now(payout), 'wallet-1');
    says({ drain: { ...claimed(), providerRef: 'ref-2' } as SubmitFact });
    await drive(payout);
    expect(await now(payout)).toMatchObject({ legs: [{ name: 'drain', destination: 'wallet-1', said: 'claimed' }] });
  });

  test('leads its payee to the money', async () => {
    const waiting = { kind: 'awaiting_payee', providerRef: 'ref-2', claimUrl: 'https://rail.example/ref-2' } as const;
    const payout = await restored('DE', waiting);
    expect(await now(payout)).toMatchObject({ status: 'submitted', claimUrl: waiting.claimUrl });
  });
});
