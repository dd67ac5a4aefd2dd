/** More connections than there is room for: strangers make room first, and one caller has no more than its quarter. */
import { type ApiClient, eventually, newClient, operator, send, signedHeaders, unixNow } from '../harness/api';
import type { GatewayProcess } from '../harness/gateway-process';
import { HeldSocket } from '../harness/held-socket';
import { requestBytes, statusesOf } from '../harness/raw-socket';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const PAYEES = '/api/v1/payees';

describe('connections', () => {
  const [ALL, PER_ADDRESS] = [40, 20];
  let topology: Topology;
  let gateway: GatewayProcess;
  let client: ApiClient;
  const open: HeldSocket[] = [];
  beforeAll(async () => {
    topology = await startTopology('embedded-1', {
      MAX_CONNECTIONS: String(ALL),
      MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
    });
    gateway = topology.processes[0] as GatewayProcess;
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    client = await newClient();
  });
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.destroy();
  });
  afterAll(() => stopTopology(topology));

  const held = async (count: number): Promise<HeldSocket[]> => {
    const sockets = await Promise.all(Array.from({ length: count }, () => HeldSocket.open(gateway.port)));
    open.push(...sockets);
    return sockets;
  };
  const asked = (): string => {
    const headers = Object.entries(signedHeaders(client.key, client.secret, ''));
    return requestBytes('GET', PAYEES, ['Host: a', ...headers.map(([name, value]) => `${name}: ${value}`)]);
  };

  test('of those that show no key the oldest goes, with 503; who showed one stays, and who comes is served', async () => {
    const [known] = (await held(1)) as [HeldSocket];
    known.write(asked());
    await known.received(/^HTTP\/1\.1 200/);
    const silent = await held(3 * PER_ADDRESS);
    const ended = (): HeldSocket[] => silent.filter(({ socket }) => socket.destroyed || socket.readableEnded);
    await eventually(
      () => Promise.resolve(ended().length),
      (count) => count >= 2 * PER_ADDRESS,
    );
    expect(ended().every(({ text }) => statusesOf(text)[0] === 503 && /\r\nretry-after: 1\r\n/i.test(text))).toBe(true);
    expect((await client.get('/payees')).status).toBe(200);
    expect((await operator('GET', '/clients')).status).toBe(200);
    known.text = '';
    known.write(asked());
    await known.received(/^HTTP\/1\.1 200/);
  });

  test('of those that did, a quarter is for one caller, and the one that is idle longest goes', async () => {
    const known: HeldSocket[] = [];
    while (known.length < ALL) {
      const [socket] = (await held(1)) as [HeldSocket];
      socket.write(asked());
      await socket.received(/^HTTP\/1\.1 200/);
      known.push(socket);
    }
    expect((await client.get('/payees')).status).toBe(200);
    const gone = known.filter(({ socket }) => socket.destroyed || socket.readableEnded);
    expect(gone.length).toBeGreaterThan(0);
    expect(gone).toEqual(known.slice(0, gone.length));
    expect(gone.length).toBeGreaterThanOrEqual((3 * ALL) / 4);
  });

  test('who knows a key and sends bodies that never end has a quarter; others and who watches are served', async () => {
    const dribbled = requestBytes('POST', PAYEES, [
      'Host: a',
      'Content-Length: 1000',
      `Authorization: Bearer ${client.key}`,
    ]);
    const sockets = await held(PER_ADDRESS);
    for (const socket of sockets) socket.write(`${dribbled}{`);
    const ended = (): HeldSocket[] => sockets.filter(({ socket }) => socket.destroyed || socket.readableEnded);
    await eventually(
      () => Promise.resolve(ended().length),
      (count) => count >= PER_ADDRESS - ALL / 4,
    );
    expect(ended().every(({ text }) => statusesOf(text)[0] === 503)).toBe(true);
    const other = await newClient();
    expect((await other.get('/payees')).status).toBe(200);
    expect((await operator('GET', '/clients')).status).toBe(200);
    expect((await send(`${gateway.url}/health/live`, 'GET', { connection: 'close' })).status).toBe(200);
  });

  test('who knows a key, and is refused over each connection again and again, has a quarter; others are served', async () => {
    const refused = requestBytes('GET', PAYEES, [
      'Host: a',
      `Authorization: Bearer ${client.key}`,
      `x-gw-timestamp: ${unixNow()}`,
      `x-gw-signature: ${'0'.repeat(64)}`,
    ]);
    const sockets: HeldSocket[] = [];
    const gone = (): number => sockets.filter(({ socket }) => socket.destroyed || socket.readableEnded).length;
    // More than the process has places for would be turned away with 503.
    while (sockets.length < (3 * ALL) / 4 || gone() < ALL / 2) {
      const [socket] = (await held(1)) as [HeldSocket];
      socket.write(refused.repeat(500));
      await socket.received(/^HTTP\/1\.1 4/);
      sockets.push(socket);
    }
    expect((await (await newClient()).get('/payees')).status).toBe(200);
  });
});
