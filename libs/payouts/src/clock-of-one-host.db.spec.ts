/**
 * Database and process share a host (the embedded database, the compose file), whose clock is set forward by a minute: the ticks of the process go on
 * as before. No call counts as over for that, also once the database has told the time.
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { systemClock } from '#libs/domain';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

describe('the clock of a host with its database, set forward', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('a refusal is not the last word while another call is under way', async () => {
    const { id } = await world.pay(client, await world.payee(client));
    const first = world.drive(id);
    const call = await world.rail.call(1);
    const second = world.drive(id);
    const refusal = await world.rail.call(2);
    const clock = world.get(DatabaseClock);
    const set = clock.set.bind(clock);
    jest.spyOn(clock, 'set').mockImplementation((now, asked) => set(new Date(now.getTime() + 60_000), asked));
    const now = systemClock.now.bind(systemClock);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(now().getTime() + 60_000));
    set(systemClock.now(), clock.reading());
    refusal.answer(refused());
    await second;
    expect(await world.status(id)).toBe('submitted');
    call.answer(accepted());
    await first;
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
  });
});
