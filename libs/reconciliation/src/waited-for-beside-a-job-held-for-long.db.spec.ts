/**
 * And one whose payout somebody held for a moment is waited for and named all the same: a job that is held ends the comparison before that.
 * A payout under way is listed as moved, and somebody holds the row of its job for longer than anybody waits (a process that stands still in a
 * transaction): that keeps another client's payout, which failed and is listed as moved too, from being asked about and named (1).
 */
import { randomUUID } from 'node:crypto';
import { holding } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { HearNews } from './use-cases/hear-news';
import { ScanMovements } from './use-cases/scan-movements';

describe('a failed payout whose money moved, beside one under way whose job somebody holds', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());

  test('is named by that comparison', async () => {
    const sent = async (answer: () => unknown) => {
      const client = await world.client();
      world.rail.answers = answer as typeof world.rail.answers;
      const { id } = await world.pay(client, await world.payee(client));
      await world.drive(id);
      return world.payout(id);
    };
    const underWay = await sent(() => ({ kind: 'unknown', detail: 'no answer' }));
    const failed = await sent(() => refused());
    const busy = await sent(() => refused());
    world.rail.knows.set(busy.railKey, refused() as never);
    expect([underWay.status, failed.status]).toEqual(['submitted', 'failed']);
    world.rail.knows.set(underWay.railKey, { kind: 'unknown', detail: 'no answer' });
    world.rail.knows.set(failed.railKey, refused() as never);
    world.rail.moved = [underWay, failed, busy].map(({ railKey, amountCents, provider }) => ({
      ...{
        rail: provider ?? '',
        railKey,
        providerRef: randomUUID(),
        amountCents,
        currency: 'USD',
        movedAt: systemClock.now(),
      },
    }));
    await world.get(HearNews).leave([underWay]);
    const letGo = await holding(world.db, "SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1 FOR UPDATE", [
      underWay.id,
    ]);
    const letBusyGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [busy.id]);
    setTimeout(() => void letBusyGo(), 3_000);
    const outcome = await world
      .get(ScanMovements)
      .ofRail(failed.provider ?? '')
      .then(
        () => 'done',
        (error: Error & { code?: string }) => error.code,
      );
    const named = await world.db.rows('SELECT FROM drift WHERE payout_id = $1 AND resolved_at IS NULL', [failed.id]);
    const alsoNamed = await world.db.rows('SELECT FROM drift WHERE payout_id = $1 AND resolved_at IS NULL', [busy.id]);
    await letGo();
    expect([named.length, alsoNamed.length]).toEqual([1, 1]);
    expect(outcome).toEqual(expect.anything());
  }, 60_000);
});
