/**
 * A provider's notice may come before its own look-ups know: so what its rail says nothing new of is asked about again some times. That holds for
 * what came back, and is out again, as for what is paid: nothing else asks about it, and its caller pays anew.
 */
import type { Client } from '#libs/clients';
import { PayoutJobs } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a notice that comes before the look-ups of its rail know', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  const jobsOf = (id: string) => world.db.rows(`SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1`, [id]);
  /** As the notice has it. */
  const hinted = async (id: string): Promise<void> => {
    await world.get(PayoutJobs).look(await world.payout(id));
    await world.work('payout.look', id);
  };
  const paid = async (): Promise<string> => {
    const { id, railKey } = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => settled();
    await world.drive(id);
    world.rail.knows.set(railKey, settled() as LookupFact);
    return id;
  };

  test('of what is paid: it is asked about again', async () => {
    const id = await paid();
    await hinted(id);
    expect(await jobsOf(id)).toHaveLength(1);
  });

  test('of what came back, and is out again: it is asked about again', async () => {
    const id = await paid();
    await scene.tells(await world.payout(id), { kind: 'bounced', feeCents: 0 });
    expect(await world.status(id)).toBe('returned');
    await hinted(id);
    expect(await jobsOf(id)).toHaveLength(1);
  });

  test('of what an operator called paid, and comes back: it is asked about again', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled() as LookupFact);
    await scene.resolve(payout, 'paid');
    // The second looks are over, and the watch looks once in days.
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '2 days' WHERE id = $1`, [payout.id]);
    await hinted(payout.id);
    expect(await jobsOf(payout.id)).toHaveLength(1);
  });
});
