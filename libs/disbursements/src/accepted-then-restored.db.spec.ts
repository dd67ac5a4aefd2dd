/**
 * As in tried-again-after-restore.db.spec.ts: the backup is of when a rail had said, to a question, that it had taken on a payout of which
 * the call itself was never answered. It refused it since, and its rows left with one more and were paid.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { isListedBy, OwedScene, startOwedWorld } from '../testing/src';

describe('rows that left with others since the backup, and whose payout was taken on by its rail then', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test.each([
    ['DE', 'claim_rail'],
    ['FR', 'custodial_a'],
  ])('are not sent again by the job that asks about it, once what moved is listed (%s)', async (country, rail) => {
    const scene = await OwedScene.of(world, await world.client(), country);
    await scene.push(6_000);
    world.rail.says({});
    const [{ id }] = (await scene.withdraw()) as [Payout];
    await world.drive(id);
    const { railKey } = await world.payout(id);
    world.rail.knows.set(railKey, accepted());
    await world.age(id, 60);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({
      status: 'submitted',
      acceptedAttempt: expect.any(Number) as number,
    });

    world.rail.knows.set(railKey, refused());
    await world.db.execute(
      `UPDATE rail_scans SET restored_at = now() - interval '10 minutes', scanned_until = now() - interval '11 minutes'`,
    );
    const withOneMore = createHash('sha256').update(randomUUID()).digest('hex').slice(0, 32);
    await isListedBy(world, rail, `${railKey.slice(0, 18)}${withOneMore}`);
    world.rail.calls.length = 0;
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(0);
  });
});
