/** What a payee has their rail asked, with each address that they enter, waits behind money like what clients ask, and closes no lane. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { accepted, legsScene, type MoneyWorld, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

describe('a look-up that a payee brings about', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    await world.db.execute('DELETE FROM rail_lanes');
  });

  const { says, pay, drive } = legsScene(() => ({ world, client }));
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    const after = await drive(payout);
    world.rail.calls.length = 0;
    return after;
  };
  const enters = (payout: Payout): Promise<unknown> =>
    world
      .get(BeginLeg)
      .run(payout, 'wallet-1')
      .catch(() => undefined);

  test('is a question of callers', async () => {
    const payout = await waiting();
    world.rail.knows.set(payout.railKey, waits());
    const lookup = jest.spyOn(world.get(RailCaller), 'lookup');
    await enters(payout);
    const asked = lookup.mock.calls.map(([, , question]) => question?.byCaller);
    lookup.mockRestore();
    expect(asked).toEqual([true]);
  });

  test('leaves the lane open for the money of everybody else', async () => {
    const payout = await waiting();
    world.rail.knows.set(payout.railKey, { kind: 'not_now', afterSeconds: 60, detail: 'too many look-ups' });
    await enters(payout);
    client = await world.client();
    says({ first: accepted('two') });
    await drive(await pay('IT'));
    expect(world.rail.calls).toHaveLength(1);
  });
});
