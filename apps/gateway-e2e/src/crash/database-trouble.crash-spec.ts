/** A database that is read-only, full, locked or has no connection left: 503 while it lasts, and nothing is lost. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { CODE_VERSION, sessionNameOf } from '#libs/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { query } from '../harness/database';
import { freePort } from '../harness/free-port';
import { GatewayProcess } from '../harness/gateway-process';
import { beginRun } from '../harness/payout-run';
import { type SmallDisk, smallDisk } from '../harness/small-disk';
import { TroubledService } from '../harness/troubled-service';

const DISK_MB = 256;
const disk: SmallDisk | null = smallDisk(DISK_MB);
if (!disk) process.stderr.write('Nothing can be mounted here: the full disk is left out.\n');

describe('a database in trouble', () => {
  let postgres: EmbeddedPostgres;
  let service: TroubledService;
  /** May write while nobody else may, and is there while nobody else gets in. */
  let admin: Client;
  const hogs: Client[] = [];

  beforeAll(async () => {
    // Synced to disk as in production: whatever was answered must be there after a crash.
    postgres = await startEmbeddedPostgres({ dataDir: disk?.directory ?? mkdtempSync(join(tmpdir(), 'gw-trouble-')) });
    admin = await connected('-c default_transaction_read_only=off');
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-trouble-data-'));
    const env = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000', WORKER_PORT: String(await freePort()) };
    const settings = { databaseUrl: postgres.url, dataDir, env };
    const api = await GatewayProcess.start({ ...settings, role: 'api' });
    const worker = await GatewayProcess.start({ ...settings, role: 'worker' });
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    const run = await beginRun({ processes: [api, worker], urls: [api.url], operatorToken, databaseUrl: postgres.url });
    service = new TroubledService([api, worker], run);
  });
  afterAll(async () => {
    await Promise.all([admin, ...hogs].map((client) => client?.end()));
    await service?.stop();
    await postgres?.stop();
    disk?.remove();
  });

  async function connected(options = ''): Promise<Client> {
    const client = new Client({ connectionString: postgres.url, options });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  const setting = async (sql: string): Promise<void> => {
    await admin.query(sql);
    await admin.query('SELECT pg_reload_conf()');
  };
  /** Takes every connection there is; false once there is none left. */
  const takesOneMore = async (): Promise<boolean> =>
    connected().then(
      (client) => hogs.push(client) > 0,
      () => false,
    );
  const takeAll = async (): Promise<void> => {
    while (await takesOneMore());
  };

  const TROUBLES: Record<string, { begin: () => Promise<unknown>; end: () => Promise<unknown>; says: RegExp }> = {
    'read-only': {
      begin: () => setting('ALTER SYSTEM SET default_transaction_read_only = on'),
      end: () => setting('ALTER SYSTEM RESET default_transaction_read_only'),
      says: /^is read-only$/,
    },
    'a table that somebody has locked': {
      begin: () => admin.query('BEGIN; LOCK TABLE payouts IN ACCESS EXCLUSIVE MODE'),
      end: () => admin.query('ROLLBACK'),
      says: /^did not finish a statement in time$|^all connections of this process are in use$/,
    },
    'no connection left': {
      begin: async () => {
        await takeAll();
        const ended = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = $1';
        while ((await admin.query(ended, [sessionNameOf(CODE_VERSION)])).rowCount !== 0) await takeAll();
      },
      end: () => Promise.all(hogs.splice(0).map((client) => client.end())),
      says: /^takes no connection, or has no room to work$/,
    },
    ...(disk && {
      'a full disk': { begin: async () => disk.fill(), end: async () => disk.free(), says: /^has no space left$/ },
    }),
  };

  test.each(Object.keys(TROUBLES))('%s', async (name) => {
    const { begin, end, says } = TROUBLES[name] as (typeof TROUBLES)[string];
    const some = Array.from({ length: 10 }, () => service.pay());
    await begin();
    const more = Array.from({ length: 10 }, () => service.pay());
    await service.isTroubled(says).finally(end);
    await service.isWell();
    await Promise.all([...some, ...more]);
    await service.hasLostNothing(postgres.url);
    expect(await query(postgres.url, 'SELECT FROM payouts')).not.toHaveLength(0);
  });
});
