/**
 * As in tried-again-after-restore.db.spec.ts, on a rail that moves in legs: the backup is of when a payout that had been refused after its
 * later call was sent once more, and that send never arrived. What its legs were is over, and its rail took nothing on since.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, thenDo } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { isListedBy, OwedScene, startOwedWorld } from '../testing/src';

describe('rows that left with others since the backup, and whose payout was refused in legs and sent once more', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());

  test('are not sent again by the job that asks about it, once what moved is listed', async () => {
    const scene = await OwedScene.of(world, await world.client(), 'FR');
    await scene.push(6_000);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const failed = await world.payout(id);
    expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient', legs: [{ over: true }] });

    world.rail.knows.set(failed.railKey, refused());
    world.rail.says({});
    await world.get(RemedyPayout).retry(failed, 'client');
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', acceptedAttempt: null, toSend: false });
    await world.age(id, 60);

    await world.db.execute(
      `UPDATE rail_scans SET restored_at = now() - interval '10 minutes', scanned_until = now() - interval '11 minutes'`,
    );
    const withOneMore = createHash('sha256').update(randomUUID()).digest('hex').slice(0, 32);
    await isListedBy(world, 'custodial_a', `${failed.railKey.slice(0, 18)}${withOneMore}`);
    world.rail.calls.length = 0;
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(0);
  });
});
