/**
 * What a payee had sent on for the second time in the time that a restored database lost came to nothing. Its rail names that call by its key, and the
 * round in which they are asked again is made under the very same one.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { claimed, isRestored, legsScene, type MoneyWorld, startMoneyWorld, waits } from '../testing/src';

describe('a payee who is asked again for what a restored database does not know', () => {
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

  test('is asked once', async () => {
    says({ first: waits() });
    const { id, railKey }: Payout = await pay('IT');
    const drives = async (): Promise<Payout> => {
      await world.age(id, 120);
      await world.drive(id);
      return world.payout(id);
    };
    await world.drive(id);
    // What they began at first was refused, and the second call was made under the key of the next round. Then its legs are those of the backup again.
    const { legs } = await world.payout(id);
    world.rail.knows.set(railKey, waits(legs.at(-1)?.key));
    const second = (await drives()).legs.at(-1)?.key;
    expect(second).not.toBe(legs.at(-1)?.key);
    await world.db.execute('UPDATE payouts SET legs = $2 WHERE id = $1', [id, JSON.stringify(legs)]);
    await isRestored(world);
    world.rail.knows.set(railKey, claimed());
    await drives();
    world.rail.knows.set(railKey, waits(second));
    const asked = await drives();
    expect(asked).toMatchObject({ claimedAt: null, claimUrl: expect.any(String) as string });
    const later = [await drives(), await drives()].map(({ sequence }) => sequence);
    expect(later).toEqual([asked.sequence, asked.sequence]);
  });
});
