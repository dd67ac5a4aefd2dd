/**
 * A backup is of the time in which money waited for its payee. After it they gave an address that was refused, and another one, to which it was on its
 * way when the database was lost. If that comes to nothing as well, they have to be asked again.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { claimed, isRestored, legsScene, type MoneyWorld, startMoneyWorld, waits } from '../testing/src';

describe('what its payee had sent on in the time that a restored database lost, and came to nothing since', () => {
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

  const { says, pay } = legsScene(() => ({ world, client }));

  test('waits for them again', async () => {
    says({ first: waits() });
    const { id, railKey }: Payout = await pay('IT');
    const drives = async (): Promise<Payout> => {
      await world.age(id, 120);
      await world.drive(id);
      return world.payout(id);
    };
    await world.drive(id);
    await isRestored(world);
    world.rail.knows.set(railKey, claimed());
    expect(await drives()).toMatchObject({ claimUrl: null, claimedAt: expect.any(Date) as Date });
    // Its rail calls the last one refused, by its own key. This database knows of none.
    world.rail.knows.set(railKey, waits('the key of the next round'));
    await drives();
    await drives();
    const payout = await drives();
    expect(payout).toMatchObject({ status: 'submitted', claimedAt: null, claimUrl: expect.any(String) as string });
  });
});
