/** What readiness says of what the watch finds, and what it keeps to itself. */
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '#libs/config';
import { DatabaseClock, DatabaseWatch, type Db, StandingConnection, VersionGate } from '#libs/db';
import { openDb, PostgresProxy, scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import type { JobQueue } from '#libs/jobs';
import { setLogLevel } from '#libs/telemetry';
import { Readiness, type ReadinessReport } from './readiness';

const GIVEN = { NODE_ENV: 'test', OPERATOR_TOKEN: 'readiness-spec', MASTER_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' };

describe('readiness', () => {
  let scratch: ScratchDatabase;
  let proxy: PostgresProxy;
  let connection: StandingConnection;
  let watch: DatabaseWatch;
  let db: Db;
  let close: () => Promise<void>;
  const gate = new VersionGate();
  let queueTrouble: string | null = null;
  let aheadMs = 0;
  const queue = { trouble: () => queueTrouble } as JobQueue;
  const clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) };
  const ofRole = (ROLE: string): ReadinessReport =>
    new Readiness(watch, queue, loadConfig({ ...GIVEN, ROLE }), clock).report();

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDatabase();
    proxy = await PostgresProxy.start(scratch.url);
    ({ db, close } = await openDb(scratch.url));
    connection = new StandingConnection(proxy.url);
    watch = new DatabaseWatch(connection, db, gate, new DatabaseClock(), proxy.url);
    await watch.onApplicationBootstrap();
  });
  afterEach(() => {
    queueTrouble = null;
    aheadMs = 0;
  });
  afterAll(async () => {
    watch.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await close();
    await proxy.stop();
    await scratch.drop();
  });

  test('all is well', () => {
    const checks = { database: 'ok', migrations: 'ok', clock: 'ok', queue: 'ok' };
    expect(ofRole('all')).toEqual({ status: 'ready', checks });
  });

  test('a queue in trouble is told, by those who work it, and makes nobody unready', () => {
    queueTrouble = 'redis does not answer';
    expect(ofRole('worker')).toMatchObject({ status: 'ready', checks: { queue: 'redis does not answer' } });
    expect(ofRole('api')).toMatchObject({ status: 'ready', checks: { queue: 'ok' } });
  });

  test('a clock that differs from the database’s', () => {
    aheadMs = 60_000;
    const { status, checks } = ofRole('all');
    expect(status).toBe('not_ready');
    expect(checks.clock).toMatch(/^\d+ s away from the database's clock$/);
  });

  test('a database of a newer version', () => {
    gate.set(true);
    const { status, checks } = ofRole('all');
    expect([status, checks.migrations]).toEqual(['not_ready', 'belongs to a newer version: stop this process']);
    gate.set(false);
  });

  test('a database that is away: where it was, and what it said, is nobody’s business', async () => {
    proxy.decide = ({ application }) => (application.endsWith('watch') ? 'ended before' : 'pass');
    while (ofRole('all').status === 'ready') await pause(20);
    const report = ofRole('all');
    expect(report.checks).toEqual({
      database: 'does not answer',
      migrations: 'unknown',
      clock: 'unknown',
      queue: 'ok',
    });
    proxy.decide = () => 'pass';
    while (ofRole('all').status !== 'ready') await pause(20);
  });
});
