/**
 * An operator moves a country to a rail over which owed money leaves only when it is asked for. Its payees are not resolved again yet: what is
 * credited to one of them does not leave by itself over that rail, past all that their client has set about withdrawals.
 */
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseByItself } from './use-cases/release-by-itself';

describe('what is owed to a payee whose routes changed a moment ago', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('does not leave by itself over a rail that waits for a withdrawal', async () => {
    world.rail.answers = () => accepted();
    await world.route('NO', 'swap_rail');
    const client = await world.client({ withdrawPolicy: { enabled: false } });
    const scene = await OwedScene.of(world, client, 'NO');
    expect(scene.payee.provider).toBe('swap_rail');
    await world.route('NO', 'claim_rail'); // nobody resolved its payees again yet
    await scene.push(6_000);
    await world.get(ReleaseByItself).ofPayee(scene.payee.id);
    expect(await scene.outcome()).toBe('withdrawals_disabled');
    expect(await world.db.rows('SELECT provider, status FROM payouts WHERE payee_id = $1', [scene.payee.id])).toEqual(
      [],
    );
    expect(world.rail.calls).toEqual([]);
  });
});
