/** SIGTERM when the database cannot be told what is handed back: what is under way is finished all the same. */
import { mkdtempSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresProxy } from '#libs/db/testing';
import { eventually } from '../harness/api';
import { newDatabase, query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { beginRun, cameToRest, payUntilAnswered } from '../harness/payout-run';
import { POOL } from '../harness/proxied';
import { redisDatabase } from '../harness/topology';

const HANDS_BACK = /SET lease_token = NULL, run_at = now\(\), attempts = greatest/;

test('a worker on Bull finishes its deliveries, though the connection is lost as it hands tickets back', async () => {
  const databaseUrl = await newDatabase();
  const proxy = await PostgresProxy.start(databaseUrl);
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-stop-'));
  const env = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' };
  const redisUrl = redisDatabase();
  const gateway = await GatewayProcess.start({ role: 'all', databaseUrl: proxy.url, redisUrl, dataDir, env });
  const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
  const run = await beginRun({ processes: [gateway], urls: [gateway.url], operatorToken, databaseUrl });
  const heldBack: ServerResponse[] = [];
  await cameToRest(databaseUrl);
  run.catcher.behave((_, response) => heldBack.push(response));
  const { id } = (await payUntilAnswered(run)).body;
  await eventually(
    () => Promise.resolve(heldBack.length),
    (count) => count === 1,
  );
  proxy.decide = ({ application, sql }) => (application === POOL && HANDS_BACK.test(sql) ? 'ended before' : 'pass');
  const gone = gateway.kill('SIGTERM');
  await eventually(
    () => Promise.resolve(gateway.output),
    (output) => /"event":"(jobs\.stopped|stop\.done)"/.test(output),
  );
  run.catcher.behave();
  for (const response of heldBack) response.writeHead(204).end();
  expect(await gone).toBe(0);
  expect(gateway.output).toContain('"event":"jobs.not_handed_back"');
  const OF_PAYOUT = `SELECT sequence FROM events WHERE entity_id = $1 AND status = 'delivered' AND attempts = 1`;
  expect(await query(databaseUrl, OF_PAYOUT, [id])).not.toHaveLength(0);
  await run.catcher.stop();
  await proxy.stop();
});
