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

  const drives = async (id: string): Promise<Payout> => {
    await world.age(id, 120);
    await world.drive(id);
    return world.payout(id);
  };

  test('waits for them again', async () => {
    says({ first: waits() });
    const { id, railKey }: Payout = await pay('IT');
    await world.drive(id);
    await isRestored(world);
    world.rail.knows.set(railKey, claimed());
    expect(await drives(id)).toMatchObject({ claimUrl: null, claimedAt: expect.any(Date) as Date });
    // Its rail calls the last one refused, by its own key. This database knows of none.
    world.rail.knows.set(railKey, waits('the key of the next round'));
    await drives(id);
    await drives(id);
    const payout = await drives(id);
    expect(payout).toMatchObject({ status: 'submitted', claimedAt: null, claimUrl: expect.any(String) as string });
  });

  test('asks them once, though the next round has the key of the call that came to nothing', async () => {
    says({ first: waits() });
    const { id, railKey }: Payout = await pay('IT');
    await world.drive(id);
    // What they began at first was refused, and the second call was made under the key of the next round. Then its legs are those of the backup again.
    const { legs } = await world.payout(id);
    world.rail.knows.set(railKey, waits(legs.at(-1)?.key));
    const second = (await drives(id)).legs.at(-1)?.key;
    expect(second).not.toBe(legs.at(-1)?.key);
    await world.db.execute('UPDATE payouts SET legs = $2 WHERE id = $1', [id, JSON.stringify(legs)]);
    await isRestored(world);
    world.rail.knows.set(railKey, claimed());
    await drives(id);
    world.rail.knows.set(railKey, waits(second));
    const asked = await drives(id);
    expect(asked).toMatchObject({ claimedAt: null, claimUrl: expect.any(String) as string });
    const later = [await drives(id), await drives(id)].map(({ sequence }) => sequence);
    expect(later).toEqual([asked.sequence, asked.sequence]);
  });
});
