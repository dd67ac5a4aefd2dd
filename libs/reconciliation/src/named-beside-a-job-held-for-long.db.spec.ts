/**
 * A payout under way is listed as moved, and somebody holds the row of its job for longer than anybody waits (a process that stands still in a
 * transaction). Other clients' payouts that failed, and are listed as moved too, are asked about and named all the same (1).
 */
import { randomUUID } from 'node:crypto';
import { holding, waitedFor } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { HearNews } from './use-cases/hear-news';
import { ScanMovements } from './use-cases/scan-movements';

/** As PostgreSQL has it: a lock was waited for long enough. */
const HELD_FOR_LONG = '55P03';
const ITS_JOB = "SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1 FOR UPDATE";
const ITS_ROW = 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE';
const UNKNOWN = { kind: 'unknown', detail: 'no answer' } as const;

describe('a failed payout whose money moved, beside one under way whose job somebody holds', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  beforeEach(() => world.rail.reset());
  afterAll(() => world.stop());

  const sent = async (answer: ReturnType<typeof refused> | typeof UNKNOWN): Promise<Payout> => {
    const client = await world.client();
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, await world.payee(client));
    await world.drive(id);
    const payout = await world.payout(id);
    world.rail.knows.set(payout.railKey, answer);
    return payout;
  };
  const areListed = (payouts: Payout[]): void => {
    world.rail.moved = payouts.map(({ railKey, amountCents, provider }) => ({
      ...{ rail: provider ?? '', railKey, providerRef: randomUUID(), amountCents },
      ...{ currency: 'USD', movedAt: systemClock.now() },
    }));
  };
  const isNamed = async ({ id }: Payout): Promise<boolean> =>
    (await world.db.row('SELECT FROM drift WHERE payout_id = $1 AND resolved_at IS NULL', [id])) !== null;
  const comparison = ({ provider }: Payout): Promise<unknown> => world.get(ScanMovements).ofRail(provider ?? '');

  test('is named by that comparison', async () => {
    const [underWay, failed] = [await sent(UNKNOWN), await sent(refused())];
    expect([underWay.status, failed.status]).toEqual(['submitted', 'failed']);
    areListed([underWay, failed]);
    await world.get(HearNews).leave([underWay]);
    const letGo = await holding(world.db, ITS_JOB, [underWay.id]);
    await expect(comparison(failed)).rejects.toMatchObject({ code: HELD_FOR_LONG });
    expect(await isNamed(failed)).toBe(true);
    await letGo();
  }, 60_000);

  test('is named if somebody held it for a moment too', async () => {
    const [underWay, failed] = [await sent(UNKNOWN), await sent(refused())];
    areListed([underWay, failed]);
    await world.get(HearNews).leave([underWay]);
    const letGo = await holding(world.db, ITS_JOB, [underWay.id]);
    const letPayoutGo = await holding(world.db, ITS_ROW, [failed.id]);
    const compared = comparison(failed).then(
      () => 'no trouble',
      (error: { code?: string }) => error.code,
    );
    await waitedFor(world.db, 'payouts', 'id = $1', [failed.id]);
    await letPayoutGo();
    expect(await compared).toBe(HELD_FOR_LONG);
    expect(await isNamed(failed)).toBe(true);
    await letGo();
  }, 60_000);
});
