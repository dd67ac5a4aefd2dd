/** Redis is a carrier, not a memory: emptied or gone, it costs time and nothing else. */
import { setTimeout as pause } from 'node:timers/promises';
import Redis from 'ioredis';
import { beginRun, cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

describe('Redis emptied', () => {
  let topology: Topology;
  let run: PayoutRun;

  beforeAll(async () => {
    topology = await startTopology('bull-4', { RATE_LIMIT_PER_MINUTE: '1000000' });
    run = await beginRun(topology);
  });
  afterAll(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
  });

  test('every 2 seconds under load: every payout is paid once and told', async () => {
    const redis = new Redis(topology.redisUrl as string);
    let paying = true;
    const flushing = (async () => {
      while (paying) {
        await redis.flushdb();
        await pause(2_000); // the issue's own rhythm
      }
    })();
    const ids: string[] = [];
    const payer = async (): Promise<void> => {
      while (ids.length < 200)
        ids.push((await payUntilAnswered(run, ids.length % 4 ? undefined : 'mock:timeout')).body.id);
    };
    await Promise.all(Array.from({ length: 4 }, payer));
    await cameToRest(topology.databaseUrl);
    paying = false;
    await flushing;
    await redis.quit();
    await expectPaidOnce(topology.databaseUrl, run, ids);
  });

  test('gone: payouts are accepted and paid, and told, without it', async () => {
    const gone = await startTopology('bull-1', { RATE_LIMIT_PER_MINUTE: '1000000', REDIS_URL: 'redis://127.0.0.1:1' });
    const alone = await beginRun(gone);
    try {
      const ids = await Promise.all(
        Array.from({ length: 20 }, async () => (await payUntilAnswered(alone, 'mock:timeout')).body.id),
      );
      await cameToRest(gone.databaseUrl);
      await expectPaidOnce(gone.databaseUrl, alone, ids);
    } finally {
      await stopTopology(gone);
      await alone.catcher.stop();
    }
  });
});
