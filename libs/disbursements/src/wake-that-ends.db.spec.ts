/** A deposit wakes whoever waits for it: that comes to an end, however many are owed something meanwhile for the first time. */
import { DisbursementReads } from '#libs/owed';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { WakeWaiting } from './use-cases/wake-waiting';

describe('who is woken by a deposit', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

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
    await world.get(WakeWaiting).ofClient(client.id, new AbortController().signal);
    expect(looks).toHaveBeenCalledTimes(2);
  });
});
