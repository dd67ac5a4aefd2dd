/** A worker that is stopped past its lease and goes on later must not do a thing twice; one that is asked to stop loses nothing. */
import type { ServerResponse } from 'node:http';
import { eventually } from '../harness/api';
import { query } from '../harness/database';
import type { GatewayProcess } from '../harness/gateway-process';
import { beginRun, cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

describe.each(['embedded-4', 'bull-4'] as const)('workers on %s', (name) => {
  let topology: Topology;
  let run: PayoutRun;

  beforeAll(async () => {
    topology = await startTopology(name, { RATE_LIMIT_PER_MINUTE: '1000000' });
    run = await beginRun(topology);
  });
  afterAll(async () => {
    for (const process of topology.processes) process.signal('SIGCONT');
    await stopTopology(topology);
    await run.catcher.stop();
  });

  const worker = (index: number): GatewayProcess =>
    topology.processes.filter(({ settings: { role } }) => role === 'worker')[index] as GatewayProcess;

  test('one is stopped in the middle of its work, another takes over, the first goes on: paid once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push((await payUntilAnswered(run, 'mock:timeout')).body.id);
    // The catcher holds the answers back, so that the worker is stopped with deliveries under way.
    const heldBack: ServerResponse[] = [];
    run.catcher.behave((_, response) => heldBack.push(response));
    await eventually(
      () => query(topology.databaseUrl, 'SELECT FROM jobs WHERE lease_token IS NOT NULL'),
      (held) => held.length > 0,
    );
    worker(0).signal('SIGSTOP');
    run.catcher.behave();
    for (const response of heldBack) response.writeHead(204).end();
    await cameToRest(topology.databaseUrl);
    worker(0).signal('SIGCONT');
    await expectPaidOnce(topology.databaseUrl, run, ids);
    const more = (await payUntilAnswered(run)).body.id;
    await cameToRest(topology.databaseUrl);
    await expectPaidOnce(topology.databaseUrl, run, [...ids, more]);
  });

  test('a worker that is asked to stop under load ends by itself, and its work goes on elsewhere', async () => {
    const before = await query<{ id: string }>(topology.databaseUrl, 'SELECT id::text FROM payouts');
    const paying = Promise.all(
      Array.from({ length: 20 }, async () => (await payUntilAnswered(run, 'mock:timeout')).body.id),
    );
    expect(await worker(1).kill('SIGTERM')).toBe(0);
    const ids = await paying;
    await cameToRest(topology.databaseUrl);
    await expectPaidOnce(topology.databaseUrl, run, [...before.map(({ id }) => id), ...ids]);
  });
});
