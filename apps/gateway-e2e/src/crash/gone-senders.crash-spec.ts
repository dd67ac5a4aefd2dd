/** An operator whose connection breaks: what it decided is done as it was said, or not at all. */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type ApiClient, eventually, type Json, newClient, operator, send } from '../harness/api';
import { query } from '../harness/database';
import type { GatewayProcess } from '../harness/gateway-process';
import { HeldSocket } from '../harness/held-socket';
import { atTheRail, runJob } from '../harness/money';
import { owe, standing, withdraw } from '../harness/owed';
import { requestBytes } from '../harness/raw-socket';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

/** As long as a caller has patience. */
const FROZEN_MS = 2_000;
const SAID = JSON.stringify({ rows: 'paid' });

describe('an operator whose connection breaks', () => {
  let topology: Topology;
  let gateway: GatewayProcess;
  let token: string;
  let holder: Client;
  beforeAll(async () => {
    topology = await startTopology('embedded-1', { LOG_LEVEL: 'info' });
    gateway = topology.processes[0] as GatewayProcess;
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    token = (await operator('POST', '/operators', { name: 'grace', role: 'operator' })).body.token;
    holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await stopTopology(topology);
  });

  const hold = async (): Promise<void> => {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE operators IN ACCESS EXCLUSIVE MODE');
  };
  const takenByBodies = async (): Promise<number> => {
    const { body } = await send(`${gateway.url}/metrics`, 'GET', {});
    return Number(/^gw_http_body_bytes (\S+)$/m.exec(String(body))?.[1]);
  };
  const goneWithoutAnswer = (): Promise<number> => Promise.resolve(gateway.output.split('"status":499').length - 1);

  const disputed = async (client: ApiClient): Promise<{ rows: Json[]; drift: string }> => {
    const payee = await client.payablePayee();
    const rows = await owe(client, payee.id, [4_000], { reason: 'mock:fail_permanent' });
    await withdraw(client, payee.id);
    const payoutId = (await client.get(`/disbursements/${rows[0]?.id}`)).body.transactionId;
    await atTheRail(payoutId, { state: 'settled' });
    await runJob('reconcile');
    await withdraw(client, payee.id); // asks the rail
    const { data } = (await operator('GET', '/drift?open=true')).body;
    return { rows, drift: data.find((row: Json) => row.payoutId === payoutId).id };
  };

  test.each([
    [
      'before its body is read',
      async (socket: HeldSocket, head: string) => {
        await hold();
        socket.write(head + SAID);
      },
    ],
    [
      'once its body is there',
      async (socket: HeldSocket, head: string) => {
        socket.write(head);
        await eventually(takenByBodies, (bytes) => bytes > 0);
        await hold();
        socket.write(SAID);
      },
    ],
  ])('%s, has decided nothing', async (_, sendUntilHeld) => {
    const client = await newClient();
    const { rows, drift } = await disputed(client);
    const socket = await HeldSocket.open(gateway.port);
    const headers = ['Host: a', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
    const path = `/operator/v1/drift/${drift}/resolve`;
    await sendUntilHeld(socket, requestBytes('POST', path, [...headers, `Content-Length: ${SAID.length}`]));
    await eventually(
      () =>
        query(
          topology.databaseUrl,
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%operators%'",
        ),
      (waiting) => waiting.length > 0,
    );
    const before = await goneWithoutAnswer();
    socket.socket.destroy();
    await eventually(goneWithoutAnswer, (count) => count > before);
    await holder.query('COMMIT');
    // What is asked for now stands behind what was asked before.
    const asked = async (): Promise<Json[]> => (await operator('GET', '/drift?open=true', undefined, token)).body.data;
    for (let times = 0; times < 3; times += 1) expect((await asked()).map(({ id }: Json) => id)).toContain(drift);
    expect((await operator('POST', `/drift/${drift}/resolve`, { rows: 'paid' }, token)).status).toBe(200);
    expect(await standing(client, rows)).toEqual(['paid']);
  });

  test('while its process was frozen, has suspended nobody: another was asked since for the opposite', async () => {
    const { id } = await newClient();
    const socket = await HeldSocket.open(gateway.port);
    const before = await goneWithoutAnswer();
    gateway.signal('SIGSTOP');
    try {
      const body = JSON.stringify({ status: 'suspended' });
      // Nobody has to be asked whose this token is.
      const headers = ['Host: a', `Authorization: Bearer ${topology.operatorToken}`, 'Content-Type: application/json'];
      const length = `Content-Length: ${body.length}`;
      socket.write(requestBytes('PATCH', `/operator/v1/clients/${id}`, [...headers, length], body));
      await pause(FROZEN_MS);
      socket.socket.destroy();
    } finally {
      gateway.signal('SIGCONT');
    }
    await eventually(goneWithoutAnswer, (count) => count > before);
    expect((await operator('GET', `/clients/${id}`)).body.status).toBe('active');
  });

  test('while its process was frozen in the middle of it, has suspended nobody', async () => {
    const { id } = await newClient();
    const socket = await HeldSocket.open(gateway.port);
    const before = await goneWithoutAnswer();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM clients WHERE id = $1 FOR UPDATE', [id]);
    const body = JSON.stringify({ status: 'suspended' });
    const headers = ['Host: a', `Authorization: Bearer ${topology.operatorToken}`, 'Content-Type: application/json'];
    const length = `Content-Length: ${body.length}`;
    socket.write(requestBytes('PATCH', `/operator/v1/clients/${id}`, [...headers, length], body));
    await eventually(
      () =>
        query(
          topology.databaseUrl,
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%clients%'",
        ),
      (waiting) => waiting.length > 0,
    );
    gateway.signal('SIGSTOP');
    try {
      await pause(FROZEN_MS);
      socket.socket.destroy();
      await holder.query('COMMIT');
    } finally {
      gateway.signal('SIGCONT');
    }
    await eventually(goneWithoutAnswer, (count) => count > before);
    // What is asked for now stands behind what was asked before.
    await operator('PATCH', `/clients/${id}`, { name: 'still here' });
    expect((await operator('GET', `/clients/${id}`)).body.status).toBe('active');
  });
});
