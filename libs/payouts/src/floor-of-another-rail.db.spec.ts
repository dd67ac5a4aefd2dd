/** What waits for the floor of a rail goes on once its payee is paid over another rail, whose floor it reaches: its cause is gone. */
import { ChangeRoutes } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';

describe('payouts below the floor of a rail that their payee is not paid over any more', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('go on by the floor of the rail that they would go over now, once an operator routes their country anew', async () => {
    const client = await world.client({ floors: { claim_rail: 10_000 } });
    const payee = await world.payee(client, { country: 'DE' });
    const { id, status } = await world.pay(client, payee, 6_000);
    expect(status).toBe('held');
    await world.get(ChangeRoutes).run(() => [{ country: 'DE', rails: ['swap_rail'], blocked: false }]);
    await world.work('payees.resolve', client.id);
    await world.get(SelfReleaseJobs).sweep();
    await world.get(SelfReleaseJobs).release();
    expect(await world.payout(id)).toMatchObject({ status: 'authorized', provider: 'swap_rail' });
  });

  test('count together with what waits for that floor', async () => {
    const client = await world.client({ floors: { claim_rail: 10_000, swap_rail: 10_000 } });
    const payee = await world.payee(client, { country: 'ES' });
    await world.get(ChangeRoutes).run(() => [{ country: 'ES', rails: ['claim_rail'], blocked: false }]);
    await world.work('payees.resolve', client.id);
    const { id } = await world.pay(client, payee, 6_000);
    await world.get(ChangeRoutes).run(() => [{ country: 'ES', rails: ['swap_rail'], blocked: false }]);
    await world.work('payees.resolve', client.id);
    const second = await world.pay(client, payee, 6_000);
    await world.get(SelfReleaseJobs).sweep();
    expect([await world.status(id), await world.status(second.id)]).toEqual(['authorized', 'authorized']);
  });
});
