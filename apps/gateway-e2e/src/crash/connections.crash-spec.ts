/** A connection carries one statement at a time. The driver says so once when it is asked for more, and will refuse it. */
import { type ApiClient, eventually, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { atTheRail, putRoutes, reachesStatus, runJob } from '../harness/money';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const CLIENTS = 16;

describe('connections', () => {
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology('embedded-1', {}, { standIns: true });
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    await putRoutes();
  });
  afterAll(() => stopTopology(topology));

  const submitted = async (client: ApiClient): Promise<string> => {
    const { id } = (await client.payout((await client.payee({ country: 'IT' })).id)).body;
    await reachesStatus(client, id, 'submitted');
    return id;
  };

  /** From then on nobody asks the rail but the test; answers those that were too late to be put off. */
  const putOffJobs = async (): Promise<object[]> => {
    const { databaseUrl } = topology;
    await query(databaseUrl, `UPDATE jobs SET run_at = now() + interval '1 hour' WHERE lease_token IS NULL`);
    return query(databaseUrl, `SELECT FROM jobs WHERE lease_token IS NOT NULL`);
  };

  test('payouts of many clients that settle together are told about by one statement at a time', async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => newClient({ testMode: false })));
    const ids = await Promise.all(clients.map(submitted));
    await eventually(putOffJobs, (underWay) => underWay.length === 0);
    for (const id of ids) await atTheRail(id, { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' });
    // With a new key the process forgets the client, so that it has to read it again for its event.
    for (const { id } of clients) await operator('POST', `/clients/${id}/keys`, { overlapSeconds: 3600 });
    expect((await runJob('reconcile')).did).toMatchObject({ asked: CLIENTS });
    expect(await query(topology.databaseUrl, `SELECT FROM payouts WHERE status = 'paid'`)).toHaveLength(CLIENTS);
    expect(topology.processes.map(({ output }) => output).join()).not.toContain('already executing a query');
  });
});
