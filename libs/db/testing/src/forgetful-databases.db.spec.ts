/**
 * A database that lies elsewhere than it says of itself is a copy, or a standby that was promoted, and may have forgotten what rails paid. The
 * first connection marks it as a restored one, and the mark counts for whoever asks anything of it (ADR 129).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import {
  DatabaseClock,
  DatabasePlace,
  DatabaseWatch,
  dataSourceOptions,
  Db,
  StandingConnection,
  VersionGate,
} from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const AWAITED = 'SELECT rail FROM rail_scans WHERE restored_at IS NOT NULL ORDER BY rail';
const RESTORES = 'SELECT count(*)::int AS number FROM restores';
const PLACE = 'SELECT server, timeline, made_as FROM database_place';

describe('a database that may have forgotten something', () => {
  let scratch: ScratchDatabase;
  let admin: Client;
  const open: (() => Promise<void>)[] = [];
  const connected = async (place = new DatabasePlace()): Promise<Db> => {
    const dataSource = new DataSource(
      dataSourceOptions({ url: scratch.url, poolSize: 4, onPoolError: () => undefined, place }),
    );
    await dataSource.initialize();
    open.push(() => dataSource.destroy());
    return new Db(dataSource);
  };
  const rows = async <T extends object>(sql: string): Promise<T[]> => (await admin.query<T>(sql)).rows;
  /** As a standby that followed another timeline, or a dump of another database. */
  const wasElsewhere = (column: 'server' | 'timeline' | 'made_as'): Promise<unknown> =>
    admin.query(`UPDATE database_place SET ${column} = '7'`);

  beforeEach(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    admin = new Client({ connectionString: scratch.url });
    await admin.connect();
    await admin.query(
      `INSERT INTO rail_scans (rail, scanned_until) VALUES ('claim_rail', now()), ('custodial_a', now())`,
    );
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((close) => close()));
    await admin.end();
    await scratch.drop();
  });

  test.each(['server', 'timeline', 'made_as'] as const)('waits for its rails if its %s is another', async (column) => {
    const [home] = await rows(PLACE);
    await wasElsewhere(column);
    const db = await connected();
    expect(await db.rows(AWAITED)).toEqual([{ rail: 'claim_rail' }, { rail: 'custodial_a' }]);
    expect([await rows(PLACE), await rows(RESTORES)]).toEqual([[home], [{ number: 1 }]]);
  });

  test('is marked once, by as many as come at the same moment', async () => {
    await wasElsewhere('timeline');
    const several = await Promise.all([connected(), connected(), connected()]);
    const seen = await Promise.all(several.flatMap((db) => [db.rows(AWAITED), db.rows(AWAITED)]));
    expect(seen.map((rails) => rails.length)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await rows(RESTORES)).toEqual([{ number: 1 }]);
  });

  test('waits for nothing where it lies as before, or does not say where', async () => {
    expect(await (await connected()).rows(AWAITED)).toEqual([]);
    await admin.query('UPDATE database_place SET server = NULL, timeline = NULL');
    expect(await (await connected()).rows(AWAITED)).toEqual([]);
  });

  test('forgot nothing if its owner says so of a promotion, and of nothing else', async () => {
    const [home] = await rows(PLACE);
    await wasElsewhere('timeline');
    expect(await (await connected(new DatabasePlace('loses_nothing'))).rows(AWAITED)).toEqual([]);
    expect(await rows(PLACE)).toEqual([home]);
    await wasElsewhere('made_as');
    expect(await (await connected(new DatabasePlace('loses_nothing'))).rows(AWAITED)).toHaveLength(2);
  });

  test('is a copy that was made on its server, and takes its place', async () => {
    const copy = `${new URL(scratch.url).pathname.slice(1)}_copy`;
    const server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
    await server.connect();
    await admin.end();
    await server.query(`CREATE DATABASE ${copy} TEMPLATE ${new URL(scratch.url).pathname.slice(1)}`);
    const { db, close } = await openDb(Object.assign(new URL(scratch.url), { pathname: `/${copy}` }).href);
    const awaited = await db.rows(AWAITED);
    await close();
    await server.query(`DROP DATABASE ${copy}`);
    await server.end();
    expect(awaited).toHaveLength(2);
  });

  test('is marked however long that takes', async () => {
    await wasElsewhere('timeline');
    await admin.query(
      `CREATE FUNCTION very_many() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NEW; END';
       CREATE TRIGGER very_many BEFORE UPDATE ON rail_scans FOR EACH ROW EXECUTE FUNCTION very_many()`,
    );
    const { db, close } = await openDb(scratch.url, { statement_timeout: 3_000, query_timeout: 3_000 });
    expect(await db.rows(AWAITED)).toHaveLength(2);
    await close();
  });

  test('is marked by a role that may make no tables there', async () => {
    const role = `of_${new URL(scratch.url).pathname.slice(1)}`;
    await admin.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'x'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
       GRANT USAGE ON SCHEMA public TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    await wasElsewhere('timeline');
    const { db, close } = await openDb(Object.assign(new URL(scratch.url), { username: role, password: 'x' }).href);
    expect(await db.rows(AWAITED)).toHaveLength(2);
    await close();
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test('is marked also where its owner limits transactions', async () => {
    const [limit] = await rows<{ name: string }>(
      `SELECT name FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout') ORDER BY name DESC LIMIT 1`,
    );
    await admin.query(`ALTER DATABASE ${new URL(scratch.url).pathname.slice(1)} SET ${limit?.name} = '1s'`);
    await admin.query(
      `CREATE FUNCTION very_many() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NEW; END';
       CREATE TRIGGER very_many BEFORE UPDATE ON rail_scans FOR EACH STATEMENT EXECUTE FUNCTION very_many()`,
    );
    await wasElsewhere('timeline');
    expect(await (await connected()).rows(AWAITED)).toHaveLength(2);
  });

  describe('under connections that outlive the change', () => {
    let db: Db;
    let watch: DatabaseWatch;
    let connection: StandingConnection;
    beforeEach(async () => {
      db = await connected();
      expect(await db.rows(AWAITED)).toEqual([]);
      connection = new StandingConnection(scratch.url);
      watch = new DatabaseWatch(connection, db, new VersionGate(), new DatabaseClock(), scratch.url);
      await watch.onApplicationBootstrap();
    });
    afterEach(async () => {
      watch.onApplicationShutdown();
      await connection.onApplicationShutdown();
    });

    test('is found by the watch', async () => {
      await wasElsewhere('timeline');
      while ((await db.rows(AWAITED)).length < 2) await pause(20);
    });

    test('is trouble until it is marked, which needs nobody who asks', async () => {
      while (watch.now().trouble !== null) await pause(20);
      await admin.query('BEGIN; SELECT FROM rail_scans FOR UPDATE');
      const [home] = await rows(PLACE);
      const outside = new Client({ connectionString: scratch.url });
      await outside.connect();
      await outside.query(`UPDATE database_place SET timeline = '7'`);
      while (watch.now().trouble !== 'unmarked') await pause(20);
      await admin.query('COMMIT');
      while (watch.now().trouble !== null) await pause(20);
      expect(await rows(PLACE)).toEqual([home]);
      expect(await rows(AWAITED)).toHaveLength(2);
      await outside.end();
    });
  });
});
