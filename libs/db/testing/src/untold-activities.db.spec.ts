/**
 * Some servers tell a session of nobody what they do: of a login that works in the role of its owner, as Vault hands them out, or where activities
 * are not tracked. Nobody then knows which connection leads nowhere, and a statement may take its time.
 */
import { Client } from 'pg';
import { DatabaseClock, DatabaseWatch, StandingConnection, VersionGate } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { openDb, scratchDatabase } from './scratch-database';

const OWNER = (login: string): string => `${login}_owner`;
const asOwner = (login: string): string =>
  `ALTER ROLE ${login} SET role = '${OWNER(login)}'; GRANT ${OWNER(login)} TO ${login}`;
const kept = (): string => 'REVOKE SELECT ON pg_stat_activity FROM PUBLIC';
const untracked = (login: string): string => `ALTER ROLE ${login} SET track_activities = off`;

test.each([
  ['a login in the role of its owner', asOwner],
  ['a login whose activities are not tracked', untracked],
  ['a login that may not read them', kept],
])('%s: what is silent for longer than the watch waits is answered', async (_, made) => {
  setLogLevel('silent');
  const scratch = await scratchDatabase();
  const login = `of_${new URL(scratch.url).pathname.slice(1)}`;
  const admin = new Client({ connectionString: scratch.url });
  await admin.connect();
  await admin.query(`CREATE ROLE ${OWNER(login)}; CREATE ROLE ${login} LOGIN PASSWORD 'x'; ${made(login)}`);
  for (const role of [login, OWNER(login)])
    await admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON SCHEMA public TO ${role}`);
  const url = Object.assign(new URL(scratch.url), { username: login, password: 'x' }).href;
  const { db, close } = await openDb(url);
  const connection = new StandingConnection(url);
  const watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), url);
  await watch.onApplicationBootstrap();

  // As long as the watch needs to ask twice who works.
  expect(await db.row(`SELECT 'well' AS it FROM pg_sleep(5)`)).toEqual({ it: 'well' });
  expect(watch.now()).toMatchObject({ trouble: null, missingMigrations: 0 });

  watch.onApplicationShutdown();
  await connection.onApplicationShutdown();
  await close();
  for (const role of [login, OWNER(login)]) await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await admin.end();
  await scratch.drop();
});
