/** A pooler hands on who connects and to what, and nothing of what else a connection says: sessions are set as this service needs them all the same. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions, migrate, MIGRATIONS, StandingConnection } from '#libs/db';
import { openDb, scratchDatabase, type ScratchDatabase } from './scratch-database';

const ROOT = join(__dirname, '../../../..');
const HANDED_ON = ['user', 'database', 'application_name', 'client_encoding'];

/** The first message of a connection: its length, the version of the protocol, and names with their values. */
function asPoolersHandItOn(startup: Buffer): Buffer {
  const said = startup.subarray(8, -2).toString().split('\0');
  const kept = HANDED_ON.flatMap((name) => {
    const at = said.findIndex((word, place) => place % 2 === 0 && word === name);
    return at < 0 ? [] : [name, said[at + 1]];
  });
  const message = Buffer.concat([startup.subarray(0, 8), Buffer.from(`${kept.join('\0')}\0\0`)]);
  message.writeInt32BE(message.length);
  return message;
}

class Next9999999999999 implements MigrationInterface {
  readonly name = 'Next9999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts ADD COLUMN added text');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

describe('behind a pooler', () => {
  let scratch: ScratchDatabase;
  let pooler: Server;
  let url: URL;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    scratch = await scratchDatabase();
    const { hostname, port } = new URL(scratch.url);
    pooler = createServer((from) => {
      const to = connect(Number(port), hostname);
      sockets.push(
        from.on('error', () => to.destroy()),
        to.on('error', () => from.destroy()),
      );
      from.once('data', (startup: Buffer) => {
        to.write(asPoolersHandItOn(startup));
        from.pipe(to).pipe(from);
      });
    });
    await once(pooler.listen(0, '127.0.0.1'), 'listening');
    url = Object.assign(new URL(scratch.url), { port: (pooler.address() as { port: number }).port });
    const { db, close } = await openDb(scratch.url);
    const name = url.pathname.slice(1);
    await db.execute(`ALTER DATABASE ${name} SET synchronous_commit TO off`);
    await db.execute(`ALTER DATABASE ${name} SET datestyle TO 'SQL, DMY'`);
    await close();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    pooler.close();
    await scratch.drop();
  });

  const SET_TO = `SELECT name, setting FROM pg_settings WHERE name IN ('array_nulls', 'default_transaction_isolation', 'idle_in_transaction_session_timeout',
    'idle_session_timeout', 'jit', 'lock_timeout', 'max_parallel_workers_per_gather', 'random_page_cost', 'statement_timeout', 'synchronous_commit')`;

  test('a session is set as one that leads to the database itself', async () => {
    const [direct, pooled] = [await openDb(scratch.url), await openDb(url.href)];
    const there = await direct.db.rows(SET_TO);
    expect(there).toContainEqual({ name: 'synchronous_commit', setting: 'on' });
    expect(there).toContainEqual({ name: 'lock_timeout', setting: '10000' });
    expect(await pooled.db.rows(SET_TO)).toEqual(there);
    await Promise.all([direct.close(), pooled.close()]);
  });

  test('so is the connection beside the pool', async () => {
    const standing = new StandingConnection(url.href);
    await standing.open();
    expect(await standing.ask(`SELECT 'epoch'::timestamptz AS at`)).toEqual([{ at: new Date(0) }]);
    await standing.onApplicationShutdown();
  });

  test('options of the address, which do not get there, are no reason to work without them', async () => {
    const withOptions = new URL(url);
    withOptions.searchParams.set('options', '-c search_path=theirs');
    await expect(openDb(withOptions.href)).rejects.toThrow('keeps the options of DATABASE_URL from the database');
  });

  test('nor to change what is in another schema', async () => {
    const withOptions = new URL(url);
    withOptions.searchParams.set('options', '-c search_path=theirs');
    const options = dataSourceOptions({ url: withOptions.href, poolSize: 2, onPoolError: () => undefined });
    const next = { migrations: [...MIGRATIONS, Next9999999999999], graceMs: 0 };
    await expect(migrate(options, next)).rejects.toThrow('keeps the options of DATABASE_URL from the database');
    const { db, close } = await openDb(scratch.url);
    expect(await db.rows(`SELECT name FROM migrations WHERE name LIKE 'Next%'`)).toEqual([]);
    await close();
  });

  test('nor to mark it as restored elsewhere', async () => {
    const withOptions = new URL(url);
    withOptions.searchParams.set('options', '-c search_path=theirs');
    const { db, close } = await openDb(scratch.url);
    await db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('claim_rail', now())`);
    const env = {
      ...{ PATH: process.env.PATH, NODE_ENV: 'test', NO_COLOR: '1' },
      ...{ DATABASE_URL: withOptions.href, MASTER_KEY: '5e'.repeat(32) },
    };
    const restore = spawn(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], { cwd: ROOT, env });
    const said: string[] = [];
    for (const stream of [restore.stdout, restore.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const [code] = (await once(restore, 'close')) as [number];
    expect([code, said.join('')]).toEqual([1, expect.stringContaining('keeps the options of DATABASE_URL')]);
    const marks = await db.rows('SELECT restored_at FROM rail_scans');
    expect(marks).toEqual([{ restoredAt: null }]);
    await close();
  });
});
