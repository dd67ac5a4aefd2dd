/** What a rail had no funds for is tried again until it has, however often that takes and whatever happens beside it. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { RecoverPayouts } from './jobs/recover-payouts';
import { RetryPayoutJob } from './jobs/retry-payout.job';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a payout that its rail had no funds for', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const retries = (id: string) =>
    world.db.rows(
      `SELECT lease_token IS NULL AS free, run_at > now() + interval '5 seconds' AS later FROM jobs
       WHERE name = 'payout.retry' AND entity_id = $1`,
      [id],
    );
  const WAITS = [{ free: true, later: true }];

  const unfunded = async (country: string): Promise<Payout> => {
    world.rail.answers = () => refused('funding');
    const { id } = await world.pay(client, await world.payee(client, { country }));
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(payout.railKey, refused('funding'));
    expect(await retries(id)).toEqual(WAITS);
    return payout;
  };

  test('is tried again after each try that failed, on a rail that is called by the retry itself', async () => {
    const { id } = await unfunded('ES');
    for (const calls of [2, 3, 4]) {
      await world.work('payout.retry', id);
      expect(world.rail.calls).toHaveLength(calls);
      expect(await retries(id)).toEqual(WAITS);
    }
  });

  test.each([
    ['client', true],
    ['operator', false],
  ] as const)(
    'is asked about first, and as a question of callers if one of them retries it: %s',
    async (actor, byCaller) => {
      const payout = await unfunded('DE');
      const lookup = jest.spyOn(world.get(RailCaller), 'lookup');
      await world.get(RemedyPayout).retry(payout, actor);
      expect(lookup.mock.calls.map(([, , question]) => question?.byCaller)).toEqual([byCaller]);
      lookup.mockRestore();
    },
  );

  test('is tried again where the next refusal comes before the retry has ended', async () => {
    const { id } = await unfunded('DE');
    await world.takeJob(id, 'payout.retry');
    const outcome = await world.get(RetryPayoutJob).retry(id, 1, { createdAt: systemClock.now() });
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
    expect(outcome).toEqual({ againInSeconds: expect.any(Number) as number });
  });

  test('is watched while it is under way, and left alone once it is through', async () => {
    const { id } = await unfunded('DE');
    await world.work('payout.retry', id);
    world.rail.answers = () => accepted();
    await world.drive(id);
    await world.work('payout.retry', id);
    expect(await retries(id)).toEqual(WAITS);
    await world.db.execute(`UPDATE payouts SET status = 'paid' WHERE id = $1`, [id]);
    await world.work('payout.retry', id);
    expect(await retries(id)).toEqual([]);
  });

  test('gets its job again if that is gone', async () => {
    const { id } = await unfunded('DE');
    await world.db.execute(`DELETE FROM jobs WHERE entity_id = $1`, [id]);
    expect(await world.get(RecoverPayouts).recover()).toBe(0);
    await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '31 seconds' WHERE id = $1`, [id]);
    expect(await world.get(RecoverPayouts).recover()).toBe(1);
    expect(await retries(id)).toEqual(WAITS);
    expect(await world.get(RecoverPayouts).recover()).toBe(0);
  });
});
