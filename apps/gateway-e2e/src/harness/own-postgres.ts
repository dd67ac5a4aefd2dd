/** A PostgreSQL as an operator has one, of whatever version Debian put on this machine, with the programs of that version. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { Client } from 'pg';
import { eventually } from './api';
import { freePort } from './free-port';

const DEBIANS = '/usr/lib/postgresql';
const NEEDED = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];
/** The oldest that the service runs on. */
const OLDEST = 15;
/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const account = getuid?.() === 0 ? NOBODY : {};

export interface OwnPrograms {
  version: number;
  bin: string;
}

/** The newest that is whole, or null. */
export function ownPrograms(): OwnPrograms | null {
  const versions = existsSync(DEBIANS) ? readdirSync(DEBIANS).map(Number) : [];
  const found = versions
    .filter((version) => version >= OLDEST)
    .map((version) => ({ version, bin: join(DEBIANS, String(version), 'bin') }))
    .filter(({ bin }) => NEEDED.every((name) => existsSync(join(bin, name))));
  return found.sort((one, other) => other.version - one.version)[0] ?? null;
}

export class OwnPostgres {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start({ bin }: OwnPrograms): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'gw-own-postgres-'));
    const password = join(folder, 'password');
    writeFileSync(password, PASSWORD);
    for (const path of [folder, password]) give(path);
    const data = join(folder, 'data');
    const words = ['-D', data, '--username=owner', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const made = spawnSync(join(bin, 'initdb'), [...words, '--locale=C', '--no-sync'], { ...account, cwd: folder });
    if (made.status !== 0) throw new Error(`No database was made: ${made.stderr.toString()}`);
    const port = await freePort();
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    const options = settings.flatMap((setting) => ['-c', setting]);
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...options], { ...account, cwd: folder, stdio: 'ignore' });
    const started = new OwnPostgres(server, folder, port);
    await eventually(
      () => started.execute('SELECT 1').catch(() => false),
      (answers) => answers !== false,
    );
    return started;
  }

  urlOf(database: string): string {
    return `postgres://owner:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}/${database}`;
  }

  async newDatabase(name: string): Promise<string> {
    await this.execute(`CREATE DATABASE ${name}`);
    return this.urlOf(name);
  }

  async stop(): Promise<void> {
    const gone = once(this.server, 'exit');
    this.server.kill('SIGINT');
    await gone;
    rmSync(this.folder, { recursive: true });
  }

  private async execute(sql: string): Promise<true> {
    const client = new Client({ connectionString: this.urlOf('postgres'), ssl: false });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(sql);
      return true;
    } finally {
      await client.end();
    }
  }
}

function give(path: string): void {
  if (account === NOBODY) chownSync(path, NOBODY.uid, NOBODY.gid);
}

/** With what an address has to spell in another way. */
const PASSWORD = 'p@ss:word/é';
