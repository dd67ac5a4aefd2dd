/** Strangers behind the same address as everybody else: whoever has a key or a token is served, whatever they send. */
import { newToken } from '#libs/domain';
import { type Answer, type ApiClient, newClient, operator, send, underTest } from '../harness/api';
import type { GatewayProcess } from '../harness/gateway-process';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const LIMIT = 5;
const WRONG = 200;

describe('wrong keys', () => {
  let topology: Topology;
  let gateway: GatewayProcess;
  let client: ApiClient;
  let named: string;
  beforeAll(async () => {
    topology = await startTopology('embedded-1', { AUTH_FAILURES_PER_MINUTE: String(LIMIT) });
    gateway = topology.processes[0] as GatewayProcess;
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    client = await newClient();
    named = (await operator('POST', '/operators', { name: 'grace', role: 'operator' })).body.token;
    // What the process has heard of before would be no test: it knows neither the key nor the token.
    await gateway.kill('SIGTERM');
    await gateway.restart();
  });
  afterAll(() => stopTopology(topology));

  const get = (path: string, token: string): Promise<Answer> =>
    send(`${underTest().urls[0]}${path}`, 'GET', { authorization: `Bearer ${token}` });
  const refused = (statuses: number[]): void => {
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(2 * LIMIT); // the minute may turn
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  };

  test('shut out no client and no operator, while they go on', async () => {
    const guess = async (): Promise<number> => {
      const [path, kind] =
        Math.random() < 0.5 ? ['/api/v1/payees', 'gw_test' as const] : ['/operator/v1/clients', 'gw_op' as const];
      return (await get(path, newToken(kind))).status;
    };
    refused(await Promise.all(Array.from({ length: WRONG }, guess)));
    const guessing = Array.from({ length: WRONG }, guess);
    expect((await client.get('/payees')).status).toBe(200);
    expect((await operator('GET', '/clients', undefined, named)).status).toBe(200);
    expect((await operator('GET', '/clients')).status).toBe(200);
    refused(await Promise.all(guessing));
  });

  test('with a key that is right, wrong signatures are counted, and right ones are served', async () => {
    const forged = (): Promise<Answer> => client.raw('GET', '/payees', undefined, { 'x-gw-signature': '0'.repeat(64) });
    refused(await Promise.all(Array.from({ length: WRONG }, async () => (await forged()).status)));
    expect((await client.get('/payees')).status).toBe(200);
  });
});
