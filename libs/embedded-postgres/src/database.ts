/** Makes the database the service works in. The server's own `postgres` is only used if one asks for it. */
import { Client } from 'pg';

const DUPLICATE = ['42P04', '23505']; // two processes asked at once

export async function ensureDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const client = new Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
    ssl: false,
  });
  client.on('error', () => undefined); // a server that goes away also rejects the query
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE "${name}"`);
  } catch (error) {
    if (!DUPLICATE.includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}
