// For `nx test <project>`, or Jest by itself: `npm test` has started a PostgreSQL and a Redis already, and others get their own.
import { ensureBuilt } from '../build.mjs';
import { startBackends } from './backends.mjs';

let own;

export default async function setUp() {
  if (process.env.TEST_DATABASE_URL) return;
  ensureBuilt();
  own = await startBackends();
  process.env.TEST_DATABASE_URL = own.databaseUrl;
  if (own.redisUrl) process.env.TEST_REDIS_URL = own.redisUrl;
}

export async function tearDown() {
  await own?.stop();
}
