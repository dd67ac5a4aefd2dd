/** A rolling upgrade, seen from processes of version N: they go on beside what they understand, and stop before what not. */
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  CODE_VERSION,
  dataSourceOptions,
  FIRST_QUESTION,
  migrate,
  type MigrationClass,
  MIGRATIONS,
  sessionNameOf,
} from '#libs/db';
import { type Answer, eventually, send } from '../harness/api';
import { query } from '../harness/database';
import { freePort } from '../harness/free-port';
import { GatewayProcess } from '../harness/gateway-process';
import { beginRun, cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { startTopology, stopTopology, type Topology, type TopologyName } from '../harness/topology';

/** What version N+1 brings: columns in tables that N has in use first, and then something that N would not understand. */
const ADDING = ['clients', 'payees', 'payouts', 'disbursements', 'events'].map((table, index): MigrationClass => {
  const name = `Adding999999999999${index}`;
  class Adding implements MigrationInterface {
    static readonly besideOlderCode = true;
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN added text`);
    }

    down(): Promise<void> {
      return Promise.resolve();
    }
  }
  return Object.defineProperty(Adding, 'name', { value: name });
});

/** Sees what older code has at work. A session that has just begun and asks for the floor, which it is refused for, is not. */
class Breaking9999999999999 implements MigrationInterface {
  readonly name = 'Breaking9999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE seen AS SELECT coalesce(array_agg(query), '{}') AS older FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${sessionNameOf(CODE_VERSION)}'
        AND query NOT IN ('', '${FIRST_QUESTION.replaceAll("'", "''")}')`);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

describe.each<TopologyName>(['embedded-4', 'bull-4'])('version N on %s beside N+1', (name) => {
  let topology: Topology;
  let run: PayoutRun;
  const ids: string[] = [];
  const started: GatewayProcess[] = [];

  beforeAll(async () => {
    topology = await startTopology(name, { RATE_LIMIT_PER_MINUTE: '1000000' });
    run = await beginRun(topology);
  });
  afterAll(async () => {
    await stopTopology({ processes: [...topology.processes, ...started] });
    await run.catcher.stop();
  });

  const next = (...more: MigrationClass[]): Promise<string[]> => {
    const options = dataSourceOptions({ url: topology.databaseUrl, poolSize: 2, onPoolError: () => undefined });
    return migrate(options, { migrations: [...MIGRATIONS, ...more] });
  };
  const another = async (): Promise<GatewayProcess> => {
    const [{ settings }] = topology.processes as [GatewayProcess];
    const env = { ...settings.env, WORKER_PORT: String(await freePort()) };
    const process = await GatewayProcess.start({ ...settings, role: 'all', env });
    started.push(process);
    return process;
  };
  const apis = (): GatewayProcess[] =>
    [...topology.processes, ...started].filter(({ settings }) => settings.role !== 'worker');
  const health = (path: 'live' | 'ready'): Promise<number[]> =>
    Promise.all(apis().map(async ({ url }) => (await send(`${url}/health/${path}`, 'GET', {})).status));
  const become = (status: number): Promise<number[]> =>
    eventually(
      () => health('ready'),
      (statuses) => statuses.every((found) => found === status),
    );
  const pay = async (count: number): Promise<void> => {
    ids.push(
      ...(await Promise.all(Array.from({ length: count }, () => payUntilAnswered(run, 'mock:timeout')))).map(
        ({ body }) => body.id,
      ),
    );
  };
  /** One of each, by statements that read whole rows. */
  const ask = async (): Promise<number[]> => {
    const { client, payee } = run;
    const payout = await client.payout(payee.id, { reason: 'mock:timeout' });
    ids.push(payout.body.id);
    const lists = await Promise.all(
      ['/payouts', '/payees', '/disbursements', '/events'].map((path) => client.get(path)),
    );
    return [payout, ...lists].map(({ status }) => status);
  };
  const restWell = async (): Promise<void> => {
    await cameToRest(topology.databaseUrl);
    await expectPaidOnce(topology.databaseUrl, run, ids);
  };

  test('what only adds: all of N stay ready under load, and another process of N starts', async () => {
    const asked = [await ask(), await ask()];
    const load = pay(10);
    const beside = Array.from({ length: 10 }, ask);
    expect(await next(...ADDING)).toHaveLength(ADDING.length);
    for (let round = 0; round < 10; round += 1) asked.push(await ask());
    await load;
    for (const statuses of [...asked, ...(await Promise.all(beside))])
      expect(statuses).toEqual([201, 200, 200, 200, 200]);
    await another();
    await become(200);
    await pay(5);
    await restWell();
  });

  test('an announcement that comes to nothing: N stops, serves nobody, takes no job, and goes on again', async () => {
    const { databaseUrl } = topology;
    const announcer = await announced(databaseUrl);
    await become(503);
    expect(await health('live')).toEqual(apis().map(() => 200));
    const answers: Answer[] = await Promise.all([run.client.get('/payees'), run.client.payout(run.payee.id)]);
    for (const { status, body, headers } of answers)
      expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    // Whoever has no session left takes nothing: what it would be taken with is a statement.
    await eventually(
      () => query(databaseUrl, SESSIONS, [sessionNameOf(CODE_VERSION)]),
      (sessions) => sessions.length === 0,
    );
    await announcer();
    await become(200);
    await pay(5);
    await restWell();
  });

  test('what N does not understand: it comes after the last of N, under load, and no process of N starts on it', async () => {
    const load = Array.from({ length: 10 }, () => run.client.payout(run.payee.id).catch(() => null));
    expect(await next(...ADDING, Breaking9999999999999)).toEqual(['Breaking9999999999999']);
    for (const answer of await Promise.all(load)) expect([201, 503]).toContain(answer?.status);
    await become(503);
    expect(await query(topology.databaseUrl, 'SELECT older FROM seen')).toEqual([{ older: [] }]);
    await expect(another()).rejects.toThrow('Breaking9999999999999');
    expect(await health('live')).toEqual(apis().map(() => 200));
  });
});

/** Announces a version as a migrating process does; returns what ends it, as its death would. */
async function announced(databaseUrl: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SELECT pg_advisory_lock(727001); UPDATE code_floor SET announced_code = 9999999999999');
  return () => client.end();
}

/** Those of this database: other specs have theirs on the same server. */
const SESSIONS = 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1';
