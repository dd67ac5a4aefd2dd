/**
 * What is kept of keys and clients is five seconds old at most (ADR 116), also on a machine that slept: its ticks stood still, and what was
 * told meanwhile it did not hear.
 */
import { systemClock } from '#libs/domain';
import { ClientRegistry, IssueCredentials } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('a key that was revoked while a machine slept', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.stop();
  });

  test('lets nobody in there when it wakes', async () => {
    const client = await world.client();
    const { apiKey, keyId } = await world.get(IssueCredentials).apiKey(client, 0);
    const registry = world.get(ClientRegistry);
    await registry.byKey(apiKey, false);
    expect(await registry.byKey(apiKey, false)).not.toBeNull();
    // At another machine, while this one sleeps for an hour.
    await world.db.execute('UPDATE client_keys SET revoked_at = now() WHERE id = $1', [keyId]);
    const woken = new Date(systemClock.now().getTime() + 3_600_000);
    jest.spyOn(systemClock, 'now').mockReturnValue(woken);
    expect(await registry.byKey(apiKey, false)).toBeNull();
  });
});
