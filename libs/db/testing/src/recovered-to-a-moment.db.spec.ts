/**
 * A database that was brought back to some moment forgot what came after it, whatever its owner says of its standbys: the recovery leaves a new
 * timeline, and the moment in the server's settings (ADR 129).
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { DatabasePlace, dataSourceOptions, Db, migrate } from '#libs/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import { setLogLevel } from '#libs/telemetry';

const AWAITED = 'SELECT rail, restored_at IS NOT NULL AS awaited FROM rail_scans';

/** PostgreSQL reads its files only if it owns them. */
const copyOwned = (from: string, to: string): unknown => execFileSync('cp', ['-a', from, to]);

describe('a recovery where no failover loses anything', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-recovered-'));
  const [cluster, copy] = [join(dataDir, 'postgres'), join(dataDir, 'copy')];
  let postgres: EmbeddedPostgres;

  const start = async (): Promise<void> => {
    postgres = await startEmbeddedPostgres({ dataDir, fast: true });
  };
  const during = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const place = new DatabasePlace('loses_nothing');
    const options = dataSourceOptions({ url: postgres.url, poolSize: 2, onPoolError: () => undefined, place });
    const dataSource = await new DataSource(options).initialize();
    const seen = await work(new Db(dataSource));
    await dataSource.destroy();
    return seen;
  };
  const copied = async (): Promise<void> => {
    await postgres.stop();
    copyOwned(cluster, copy);
    await start();
  };
  /** From the copy and from what was logged since, to its end if no moment is named. */
  const recovered = async (settings: string[] = []): Promise<void> => {
    await postgres.stop();
    copyOwned(join(cluster, 'pg_wal'), copy);
    rmSync(cluster, { recursive: true });
    renameSync(copy, cluster);
    writeFileSync(join(cluster, 'recovery.signal'), '');
    const lines = ["restore_command = 'false'", "recovery_target_action = 'promote'", ...settings];
    appendFileSync(join(cluster, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
    await start();
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const isStandby = async (): Promise<boolean> =>
      (await client.query('SELECT pg_is_in_recovery()')).rows[0].pg_is_in_recovery;
    while (await isStandby()) await pause(20);
    await client.end();
  };

  beforeAll(async () => {
    setLogLevel('silent');
    await start();
    await migrate(dataSourceOptions({ url: postgres.url, poolSize: 2, onPoolError: () => undefined }));
    await during((db) => db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('one', now())`));
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true });
  });

  test('marks it, and one that went to the end of all there was does not', async () => {
    await copied();
    await during((db) => db.execute(`UPDATE rail_scans SET rail = 'two'`));
    await recovered();
    expect(await during((db) => db.rows(AWAITED))).toEqual([{ rail: 'two', awaited: false }]);
    await copied();
    await during((db) => db.execute(`SELECT pg_create_restore_point('then')`));
    await during((db) => db.execute(`UPDATE rail_scans SET rail = 'three'`));
    await recovered(["recovery_target_name = 'then'"]);
    expect(await during((db) => db.rows(AWAITED))).toEqual([{ rail: 'two', awaited: true }]);
  });
});
