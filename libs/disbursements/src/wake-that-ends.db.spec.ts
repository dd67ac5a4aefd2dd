/** A deposit wakes whoever waits for it: that comes to an end, however many are owed something meanwhile for the first time. */
import { DisbursementReads } from '#libs/owed';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('who is woken by a deposit', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const asked = (clientId: string): Promise<unknown> =>
    world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane) VALUES ('owed.funded', $1::uuid, $1::uuid::text) ON CONFLICT DO NOTHING`,
      [clientId],
    );

  test('is whoever was there, although another payee is owed something with each look', async () => {
    const client = await world.client();
    const owed = async (): Promise<void> => (await OwedScene.of(world, client, 'IT')).push(6_000).then(() => undefined);
    await owed();
    const reads = world.get(DisbursementReads);
    const waitingOfClient = reads.waitingOfClient.bind(reads);
    const looks = jest.spyOn(reads, 'waitingOfClient').mockImplementation(async (...asked) => {
      const found = await waitingOfClient(...asked);
      if (looks.mock.calls.length < 20) await owed();
      return found;
    });
    await asked(client.id);
    await world.work('owed.funded', client.id);
    expect(looks).toHaveBeenCalledTimes(2);
  });

  test('is woken a portion at a time, so that others have their turn, and goes on after the last of it', async () => {
    const client = await world.client();
    for (let nth = 0; nth < 30; nth += 1) await (await OwedScene.of(world, client, 'IT')).push(6_000);
    const reads = world.get(DisbursementReads);
    const waitingOfClient = reads.waitingOfClient.bind(reads);
    const looks = jest
      .spyOn(reads, 'waitingOfClient')
      .mockImplementation(async (...asked) => (await waitingOfClient(...asked)).slice(0, 1));
    await asked(client.id);
    await world.work('owed.funded', client.id);
    const isDue = async (): Promise<boolean> =>
      (await world.db.row(
        `SELECT FROM jobs WHERE name = 'owed.funded' AND entity_id = $1 AND run_at <= now() AND lease_token IS NULL`,
        [client.id],
      )) !== null;
    expect([looks.mock.calls.length < 30, await isDue()]).toEqual([true, true]);
    await world.work('owed.funded', client.id);
    const places = looks.mock.calls.map(([, , , after]) => after);
    expect(new Set(places).size).toBe(places.length);
    expect([places.length, await isDue()]).toEqual([31, false]);
  });
});
