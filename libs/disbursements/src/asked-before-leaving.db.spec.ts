/** Rows wait on their next payout, which was made after their rail had said no; then the rail settles the old one. */
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Client } from '#libs/clients';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that wait on their next payout, when their rail settled the one before', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    scene = await OwedScene.of(world, client);
  });

  /** 6,000 were refused for now, and asked about; with 1,000 more they are on another payout, under another code. */
  const next = async (): Promise<{ before: Payout; after: Payout }> => {
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    await scene.push(1_000);
    const [after] = await scene.withdraw();
    if (!after) throw new Error('Nothing left.');
    expect(after.railKey).not.toBe(before.railKey);
    return { before, after };
  };
  const moved = async (before: Payout, after: Payout): Promise<object> => {
    world.rail.answers = () => accepted('second');
    const sent = world.rail.calls.length;
    if ((await world.status(after.id)) !== 'held') await world.drive(after.id).catch(() => undefined);
    const again = world.rail.calls.slice(sent).map(({ order }) => order.amountCents);
    return { asked: world.rail.asked.filter(({ railKey }) => railKey === before.railKey).length > 1, again };
  };

  test('a release asks about it', async () => {
    const { before, after } = await next();
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    await world.drive(after.id);
    expect(await world.status(after.id)).toBe('held');
    // Two days go by; the rail settles the old one in them.
    world.rail.knows.set(before.railKey, settled('first'));
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    await world
      .get(RemedyPayout)
      .release(await world.payout(after.id), 'client')
      .catch(() => undefined);
    expect(await moved(before, after)).toEqual({ asked: true, again: [] });
  });

  test('a retry asks about it', async () => {
    const { before, after } = await next();
    await scene.refuse(after);
    world.rail.knows.set(after.railKey, refused());
    world.rail.knows.set(before.railKey, settled('first'));
    await world
      .get(RemedyPayout)
      .retry(await world.payout(after.id), 'client')
      .catch(() => undefined);
    expect(await moved(before, after)).toEqual({ asked: true, again: [] });
  });

  test('so does what waited for its client', async () => {
    const { before, after } = await next();
    await world.setStatus(client, 'suspended');
    await world.drive(after.id);
    expect(await world.status(after.id)).toBe('authorized');
    world.rail.knows.set(before.railKey, settled('first'));
    await world.setStatus(client, 'active');
    expect(await moved(before, after)).toEqual({ asked: true, again: [] });
  });
});
