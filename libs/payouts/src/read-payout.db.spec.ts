/** Several read payouts at once: each is shown what is theirs, with the trail of that payout and of no other. */
import type { Client } from '#libs/clients';
import { Db } from '#libs/db';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReadPayout } from './use-cases/read-payout';

describe('reading a payout', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('shows each its own, however many are read at once, in few statements', async () => {
    const payee = await world.payee(client);
    const ids = await Promise.all([1, 2, 3, 4, 5].map(async () => (await world.pay(client, payee)).id));
    const asked = [...ids, ...ids, ...ids, ...ids];
    const statements = jest.spyOn(world.get(Db), 'rows');
    const details = await Promise.all(asked.map((id) => world.get(ReadPayout).ofClient(client.id, id)));
    // Two go at once, alone or with others; all that came meanwhile goes together.
    expect(statements.mock.calls.length).toBeLessThanOrEqual(2 * 3);
    statements.mockRestore();
    expect(details.map(({ payout }) => payout.id)).toEqual(asked);
    for (const { payout, trail } of details) {
      expect(trail.lines.map(({ sequence }) => sequence)).toEqual(
        [...Array(payout.sequence).keys()].map((at) => at + 1),
      );
      expect(trail.lines.at(-1)?.toStatus).toBe(payout.status);
    }
  });

  test("does not show another client's, though it is read beside it", async () => {
    const payee = await world.payee(client);
    const { id } = await world.pay(client, payee);
    const stranger = await world.client();
    const read = (clientId: string): Promise<unknown> => world.get(ReadPayout).ofClient(clientId, id);
    const [mine, theirs] = await Promise.allSettled([read(client.id), read(stranger.id)]);
    expect(mine).toMatchObject({ status: 'fulfilled', value: { payout: { id } } });
    expect(theirs).toMatchObject({ status: 'rejected', reason: { code: 'payout_not_found' } });
    await expect(world.get(ReadPayout).ofAnybody(id)).resolves.toMatchObject({ payout: { id } });
  });
});
