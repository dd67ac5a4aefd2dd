/** An operator changes the routes: what was held goes by the rail it goes to now, though its payee is not resolved again yet. */
import { ChangeRoutes, PayabilityJob, type Payee, UpsertPayee } from '#libs/payees';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseByItself } from './use-cases/release-by-itself';

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

describe('a payee without a rail, whose address changed', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let payee: Payee;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    world.rail.answers = () => accepted();
    scene = await OwedScene.of(world, await world.client(), 'SE');
    payee = scene.payee;
    await scene.push(6_000);
    await world.get(UpsertPayee).run(scene.client, { externalId: payee.externalId, email: 'eve@example.com' });
  });
  afterEach(() => world.get(ChangeRoutes).run((before) => before.filter(({ country }) => country !== 'SE')));

  const route = (rail: string) =>
    world.get(ChangeRoutes).run((before) => [...before, { country: 'SE', rails: [rail], blocked: false }]);
  const resolved = () => world.get(PayabilityJob).onRoutingChange(scene.client.id);
  const later = () =>
    world.db.execute(`UPDATE payees SET email_changed_at = now() - interval '25 hours' WHERE id = $1`, [payee.id]);

  test.each([
    ['at once', () => Promise.resolve()],
    ['once it is resolved again', resolved],
  ])('cools down by a route that pays to it, %s', async (_, then) => {
    await route('claim_rail');
    await then();
    await expect(scene.withdraw()).rejects.toMatchObject({ code: 'payee_not_payable' });
    await expect(world.adopt(scene.client, payee)).rejects.toMatchObject({ code: 'payee_cooling_down' });
    await later();
    await resolved();
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('is paid by itself only after that', async () => {
    await route('swap_rail');
    await resolved();
    const release = world.get(ReleaseByItself);
    expect(await release.ofPayee(payee.id)).toEqual(expect.any(Date));
    expect(world.rail.calls).toEqual([]);
    await later();
    expect(await release.ofPayee(payee.id)).toBeNull();
    expect(await scene.outcome()).toBe('nothing_to_withdraw'); // it is under way
  });

  test('may adopt a first account, which no address decides about', async () => {
    await world.adopt(scene.client, payee);
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
