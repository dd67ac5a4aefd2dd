/** A database of a spec's own: a copy of TEST_TEMPLATE_DATABASE on the server of TEST_DATABASE_URL, dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { AT_HOME_HERE, dataSourceOptions, Db } from '#libs/db';

export interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function scratchDatabase(): Promise<ScratchDatabase> {
  const { TEST_DATABASE_URL: server, TEST_TEMPLATE_DATABASE: template } = process.env;
  if (!server || !template)
    throw new Error('Nobody made a database to copy. Run this spec through `npm test -- only <pattern>`.');
  const name = `spec_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  await onServer(url, AT_HOME_HERE);
  return { url, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export interface ScratchDb extends ScratchDatabase {
  db: Db;
}

/** The same with Db on top, for specs of stores. */
export async function scratchDb(): Promise<ScratchDb> {
  const { url, drop } = await scratchDatabase();
  const { db, close } = await openDb(url);
  const closeAndDrop = async (): Promise<void> => {
    await close();
    await drop();
  };
  return { url, db, drop: closeAndDrop };
}

/** Another pool on the same database, as another process has one; `extra` are settings of the driver. */
export async function openDb(url: string, extra: object = {}): Promise<{ db: Db; close(): Promise<void> }> {
  const options = dataSourceOptions({ url, poolSize: 8, onPoolError: () => undefined });
  const changed = { ...options, extra: { ...(options as { extra: object }).extra, ...extra } } as DataSourceOptions;
  const dataSource = await new DataSource(changed).initialize();
  return { db: new Db(dataSource), close: () => dataSource.destroy() };
}
