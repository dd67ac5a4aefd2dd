/** Money that moved at a rail and that we know nothing of is named, also if no process lives until the first tick of a schedule. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, type Json } from '../harness/api';
import { newDatabase, query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';

const TIMES = 3;
/** Longer than a first tick takes: what fails then is the order. */
const HANGS_MS = 240_000;

/** What only tidies waits for its tick, and then has a turn: one that comes a minute after the start, as comparisons do. */
const TICKED = `SELECT name FROM runners WHERE name = 'forget-used-signatures'`;

/** Whoever is killed in the middle keeps the turn for half a minute. */
const UNDER_WAY = `SELECT FROM runners WHERE name = 'scan-movements swap_rail' AND leased_until > now()`;

let gateway: GatewayProcess;
afterEach(() => gateway?.kill('SIGTERM'));

test.each(['SIGTERM', 'SIGKILL'] as const)('restarted by %s again and again', async (signal) => {
  const databaseUrl = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-restarts-'));
  const env = { LOG_LEVEL: 'warn' };
  gateway = await GatewayProcess.start({ role: 'all', databaseUrl, dataDir, standIns: true, env });
  for (let times = 0; times < TIMES; times += 1) {
    const key = `gw-${randomUUID()}`;
    await moved(databaseUrl, key);
    await gateway.kill(signal);
    await gateway.restart();
    await eventually(
      () => query<Json>(databaseUrl, 'SELECT kind FROM drift WHERE rail_key = $1', [key]),
      (rows) => rows.length === 1,
      HANGS_MS,
    );
    expect(await query(databaseUrl, TICKED)).toEqual([]);
    await eventually(
      () => query(databaseUrl, UNDER_WAY),
      (rows) => rows.length === 0,
    );
  }
});

const moved = (databaseUrl: string, key: string): Promise<unknown> =>
  query(
    databaseUrl,
    `INSERT INTO rail_records (rail, key, value)
     VALUES ('swap_rail', $1, $2::jsonb || jsonb_build_object('settledAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`,
    [
      `payment:${key}`,
      JSON.stringify({
        state: 'settled',
        amountCents: 777,
        currency: 'USD',
        payeeId: randomUUID(),
        reason: null,
        providerRef: randomUUID(),
      }),
    ],
  );
