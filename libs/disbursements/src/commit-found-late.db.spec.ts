/**
 * The answer to a withdrawal's commit is lost, and its process finds the payout late: it stood still, or the connection was silent. A job
 * has taken the next send on meanwhile, and is making its call. That call is the job's, and not the request's.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a withdrawal that is found again once a job sends it', () => {
  let world: MoneyWorld;
  let client: Client;
  /** Whoever waits for a second call, which must not come, waits no longer than the test. */
  let isOver: boolean;
  beforeAll(async () => {
    world = await startOwedWorld({ proxied: true });
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    isOver = false;
    world.rail.reset();
  });
  afterEach(() => {
    isOver = true;
    world.proxy.decide = () => 'pass';
    jest.restoreAllMocks();
  });

  /** `driving`: what the job does. */
  const foundLate = async (
    scene: OwedScene,
    first: () => Promise<unknown> = async () => undefined,
  ): Promise<{ request: Promise<Payout[]>; driving: Promise<unknown> }> => {
    let lost = 0;
    world.proxy.decide = ({ sql }) => {
      if (sql !== 'COMMIT' || lost > 0) return 'pass';
      lost += 1;
      return 'answer lost';
    };
    const reads = world.get(PayoutReads);
    const findAll = reads.findAll.bind(reads);
    let driving: Promise<unknown> | null = null;
    const jobIsAtIt = new Promise<void>((resolve) => {
      jest.spyOn(reads, 'findAll').mockImplementation(async (ids) => {
        const [found] = await findAll(ids);
        if (found && !driving && lost > 0) {
          await first();
          driving = world.drive(found.id);
          world.later(driving);
          while (world.rail.calls.length === 0) await new Promise((next) => setImmediate(next));
          resolve();
        }
        return findAll(ids);
      });
    });
    const request = scene.withdraw();
    world.later(request);
    await jobIsAtIt;
    return { request, driving: driving as unknown as Promise<unknown> };
  };

  test.each(['DE', 'ES'])('is called for by the job alone (%s)', async (country) => {
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    const { request, driving } = await foundLate(scene);
    const calls = await Promise.race([
      request.then(() => world.rail.calls.length),
      (async () => {
        while (!isOver && world.rail.calls.length < 2) await new Promise((next) => setImmediate(next));
        return world.rail.calls.length;
      })(),
    ]);
    for (const call of world.rail.calls) call.answer(accepted('one'));
    await driving;
    expect(calls).toBe(1);
  });

  test.each(['DE', 'ES'])(
    'is not refused, and its rows owed, while the call of the job is under way (%s)',
    async (country) => {
      const scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      // For a moment nothing is sent to its rail: a job takes the first send on, and no older one is open that could still move money.
      await world.db.execute(
        `INSERT INTO rail_lanes (rail, reason, detail, closed_at, opens_at)
       VALUES ('claim_rail', 'not_now', 'busy', now(), NULL), ('at_once', 'not_now', 'busy', now(), NULL)`,
      );
      const { request } = await foundLate(scene, () => world.db.execute('DELETE FROM rail_lanes'));
      const second = (async () => {
        while (!isOver && world.rail.calls.length < 2) await new Promise((next) => setImmediate(next));
      })();
      await Promise.race([request, second]);
      world.rail.calls[1]?.answer(refused());
      await request;
      const statuses = await scene.statuses(row);
      world.rail.calls[0]?.answer(accepted('one'));
      expect(statuses).toEqual(['released']);
    },
  );

  test('is not paid twice, where its rows leave with one more while the call of the job is under way', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    await world.db.execute(
      `INSERT INTO rail_lanes (rail, reason, detail, closed_at, opens_at) VALUES ('claim_rail', 'not_now', 'busy', now(), NULL)`,
    );
    const { request, driving } = await foundLate(scene, () => world.db.execute('DELETE FROM rail_lanes'));
    const second = (async () => {
      while (!isOver && world.rail.calls.length < 2) await new Promise((next) => setImmediate(next));
    })();
    await Promise.race([request, second]);
    world.rail.calls[1]?.answer(refused());
    await request;
    const before = world.rail.calls.length;
    world.rail.answers = () => accepted('more');
    await scene.push(1_000);
    await scene.outcome();
    const moved = world.rail.calls.slice(before).map(({ order }) => order.amountCents);
    // And now the provider is through with what the job sent.
    world.rail.calls[0]?.answer(accepted('one'));
    await driving;
    expect(moved).toEqual([1_000]);
  });
});
