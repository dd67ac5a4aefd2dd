/** Brings the database to the version of this code, one process at a time, and refuses one that is newer. */
import type { PoolClient } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { survive } from './data-source';
import { MIGRATIONS } from './migrations';

const MIGRATION_LOCK = 727_001;

export class NewerDatabase extends Error {
  constructor(migration: string) {
    super(`The database was made by a newer version (it has ${migration}). Start that version, or restore a backup.`);
  }
}

export async function migrate(options: DataSourceOptions): Promise<string[]> {
  const dataSource = await new DataSource({
    ...options,
    extra: { max: 2, onConnect: survive },
  } as DataSourceOptions).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseNewer(client);
    const applied = await dataSource.runMigrations();
    return applied.map((migration) => migration.name);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function refuseNewer(client: PoolClient): Promise<void> {
  const known = new Set(MIGRATIONS.map((migration) => migration.name));
  const table = await client.query<{ there: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS there");
  if (!table.rows[0]?.there) return;
  const applied = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const foreign = applied.rows.find(({ name }) => !known.has(name));
  if (foreign) throw new NewerDatabase(foreign.name);
}
