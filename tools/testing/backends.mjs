// The PostgreSQL and the Redis of one test run, in a temporary directory that goes with them.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../redis.mjs';
import { say, yellow } from '../terminal.mjs';

const require = createRequire(import.meta.url);

export async function startBackends() {
  const directory = mkdtempSync(join(tmpdir(), 'payout-gateway-test-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  // Only now: the build has just made it.
  const { startEmbeddedPostgres } = require('../../dist/libs/embedded-postgres/src/index.js');
  let postgres;
  try {
    postgres = await startEmbeddedPostgres({ dataDir: directory, fast: true });
    const redis = await startRedis(directory);
    if (redis.missing) say(yellow(`The Redis suites cannot run here: ${redis.missing}.`));
    const stop = async () => {
      await redis.stop?.();
      await postgres.stop();
      remove();
    };
    return { databaseUrl: postgres.url, redisUrl: redis.url, redisMissing: redis.missing, stop };
  } catch (error) {
    await postgres?.stop();
    remove();
    throw error;
  }
}
