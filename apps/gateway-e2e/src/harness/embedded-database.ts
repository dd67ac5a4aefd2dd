/** The database that a gateway has of its own, in its data directory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function postmasterIn(dataDir: string): { pid: number; port: number } {
  const lines = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres/gateway.password'), 'utf8').trim();
  return `postgres://gateway:${password}@127.0.0.1:${postmasterIn(dataDir).port}/gateway`;
}
