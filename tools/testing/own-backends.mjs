// For `nx test <project>`, or Jest by itself: `npm test` has started a PostgreSQL and a Redis already, and others get their own.
// Either way, each database of a spec is a copy of one that is made here.
import { ensureBuilt } from '../build.mjs';
import { startBackends } from './backends.mjs';
import { makeTemplateDatabase } from './template-database.mjs';

/** As TEST_DATABASE_URL: a run whose specs need no database. */
const NONE = 'none';

let own;
let template;

export default async function setUp() {
  if (process.env.TEST_DATABASE_URL === NONE) return;
  ensureBuilt();
  if (!process.env.TEST_DATABASE_URL) {
    own = await startBackends();
    process.env.TEST_DATABASE_URL = own.databaseUrl;
    if (own.redisUrl) process.env.TEST_REDIS_URL = own.redisUrl;
  }
  try {
    template = await makeTemplateDatabase(process.env.TEST_DATABASE_URL);
  } catch (error) {
    await own?.stop(); // Jest tears nothing down that was not set up
    throw error;
  }
  process.env.TEST_TEMPLATE_DATABASE = template.name;
}

export async function tearDown() {
  try {
    await template?.drop();
  } finally {
    await own?.stop();
  }
}
