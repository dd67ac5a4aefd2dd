/** kill -9 at any moment: what was answered is paid once, everything is told, and nothing stays stuck. */
import { setTimeout as pause } from 'node:timers/promises';
import { randomInt } from 'node:crypto';
import type { GatewayProcess } from '../harness/gateway-process';
import { beginRun, cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { seededRandom } from '../harness/seeded-random';
import { startTopology, stopTopology, type Topology, type TopologyName } from '../harness/topology';

const PAYOUTS = 50;
const AT_ONCE = 4;

describe.each<TopologyName>(['embedded-1', 'bull-4'])('kill -9 on %s', (name) => {
  let topology: Topology;
  let run: PayoutRun;

  beforeAll(async () => {
    topology = await startTopology(name, { RATE_LIMIT_PER_MINUTE: '1000000' });
    run = await beginRun(topology);
  });
  afterAll(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
  });

  test(`${PAYOUTS} payouts while processes are killed at random`, async () => {
    const seed = randomInt(2 ** 31);
    const random = seededRandom(seed);
    const ids: string[] = [];
    let paying = true;
    const killing = (async () => {
      while (paying) {
        const some = ids.length + 1 + Math.floor(random() * 4); // so that a slow machine gets on as well
        while (paying && ids.length < some) await pause(10);
        await pause(random() * 400); // the moment is what varies
        await killAndRestart(topology.processes[Math.floor(random() * topology.processes.length)] as GatewayProcess);
      }
    })();
    try {
      await payAll(run, random, ids);
      paying = false;
      await killing;
      await cameToRest(topology.databaseUrl);
      await expectPaidOnce(topology.databaseUrl, run, ids);
    } catch (error) {
      throw new Error(`Seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      paying = false;
    }
  });
});

async function killAndRestart(process: GatewayProcess): Promise<void> {
  await process.kill('SIGKILL');
  await process.restart();
}

/** Some payouts lose the rail's answer on the way, so that a crash also meets an unknown outcome. */
async function payAll(run: PayoutRun, random: () => number, ids: string[]): Promise<void> {
  const payer = async (): Promise<void> => {
    while (ids.length < PAYOUTS) {
      const { body } = await payUntilAnswered(run, random() < 0.2 ? 'mock:timeout' : undefined);
      ids.push(body.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, payer));
}
