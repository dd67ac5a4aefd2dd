/** A used signature stays used: after kill -9, after a restart, and for timestamps from the future. */
import { randomUUID } from 'node:crypto';
import { send, signedHeaders, unixNow } from '../harness/api';
import { beginRun, type PayoutRun } from '../harness/payout-run';
import type { GatewayProcess } from '../harness/gateway-process';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

describe('replay', () => {
  let topology: Topology;
  let run: PayoutRun;

  beforeAll(async () => {
    topology = await startTopology('embedded-1');
    run = await beginRun(topology);
  });
  afterAll(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
  });

  // Of the past half the window: a slow machine has the rest of it to start the process again.
  test.each([0, 290, -150])('a POST signed %i s from now is accepted once, also after kill -9', async (offset) => {
    const [gateway] = topology.processes as [GatewayProcess];
    const body = JSON.stringify({
      payeeId: run.payee.id,
      amountCents: 500,
      currency: 'USD',
      idempotencyKey: randomUUID(),
    });
    const headers = {
      ...signedHeaders(run.client.key, run.client.secret, body, unixNow() + offset),
      'content-type': 'application/json',
    };
    const post = () => send(`${gateway.url}/api/v1/payouts`, 'POST', headers, body);
    expect((await post()).status).toBe(201);
    await gateway.kill('SIGKILL');
    await gateway.restart();
    const again = await post();
    expect([again.status, again.body.error]).toEqual([401, 'replayed_request']);
  });
});
