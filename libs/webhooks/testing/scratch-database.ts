/** A database of a spec's own on the server of TEST_DATABASE_URL, brought up to date, and dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { dataSourceOptions, migrate } from '#libs/db';

export interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function scratchDatabase(): Promise<ScratchDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set. Run this spec through `npm test -- only <pattern>`.');
  const name = `spec_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await onServer(server, `CREATE DATABASE ${name}`);
  await migrate(dataSourceOptions({ url, poolSize: 2, onPoolError: () => undefined }));
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
