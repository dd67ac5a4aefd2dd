/** An operator changes the routes: what was held goes by the rail it goes to now, though its payee is not resolved anew yet. */
import { ChangeRoutes, UpsertPayee } from '#libs/payees';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { startOwedWorld } from '../testing/src';

describe('a payout that was held before its payee had another address', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test('is not released to that address by a route that is new', async () => {
    world.rail.answers = () => accepted();
    const client = await world.client();
    const payee = await world.payee(client, { country: 'NO' });
    const held = await world.pay(client, payee, 50_000);
    expect(held).toMatchObject({ status: 'held', statusReason: 'no_rail' });
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
    await world
      .get(ChangeRoutes)
      .run((before) => [...before, { country: 'NO', rails: ['claim_rail'], blocked: false }]);
    const released = await world.get(RemedyPayout).release(await world.payout(held.id), 'operator');
    expect(released).toMatchObject({ status: 'held' });
    expect(released.statusReason).toContain('not_payable');
    expect(world.rail.calls).toEqual([]);
  });
});
