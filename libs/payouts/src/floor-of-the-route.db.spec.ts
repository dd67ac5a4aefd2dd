/** A country's rail was changed, and what its payees resolve to is not written yet: what waits for a floor goes over the new rail, whose floor counts. */
import { ChangeRoutes } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';

describe('what waits for a floor while the rail of its country changes', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('does not leave below the floor of the rail that it goes over', async () => {
    const client = await world.client({ floors: { claim_rail: 1_000, swap_rail: 10_000 } });
    const payee = await world.payee(client, { country: 'DE' });
    const first = await world.pay(client, payee, 600);
    await world.get(ChangeRoutes).run(() => [{ country: 'DE', rails: ['swap_rail'], blocked: false }]);
    // By the new rail, whose floor is not reached.
    const second = await world.pay(client, payee, 600);
    expect([first.status, second.status, second.provider]).toEqual(['held', 'held', 'swap_rail']);
    await world.get(SelfReleaseJobs).sweep();
    const left = (await Promise.all([first, second].map(({ id }) => world.payout(id)))).map(({ status, provider }) => [
      status,
      provider,
    ]);
    expect(left.filter(([status]) => status !== 'held')).toEqual([]);
  });
});
