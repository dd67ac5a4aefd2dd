/** A rail says of itself that its list is hours late: what was compared with minutes after a restore tells nothing of what moved before it. */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { Rails } from '#libs/rail-registry';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that may have moved over a rail which lists two hours late, after a restore', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test.each(['DE', 'FR'])('wait until its list can show it (%s)', async (country) => {
    const rails = world.get(Rails);
    const traits = rails.traits.bind(rails);
    jest.spyOn(rails, 'traits').mockImplementation((name) => {
      const known = traits(name);
      return known && name === 'custodial_a' ? { ...known, listsWithinSeconds: 7_200 } : known;
    });
    // As it is once the ten minutes of `npm run restore` are over.
    await world.db.execute(
      `UPDATE rail_scans SET restored_at = now(), scanned_until = now() - interval '11 minutes'`,
    );
    await compare(world);
    world.rail.calls.length = 0;
    world.rail.answers = () => settled('again');
    const scene = await OwedScene.of(world, await world.client(), country);
    await scene.push(6_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(world.rail.calls).toHaveLength(0);
  });
});
