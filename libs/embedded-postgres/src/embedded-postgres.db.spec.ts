import childProcess from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { readPostmaster } from './postmaster';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres';

const dataDir = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
const running: EmbeddedPostgres[] = [];
const lines: string[] = [];

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, fast: true, log: (line) => lines.push(line) });
  running.push(postgres);
  return postgres;
}

async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Tries again for ten seconds: a server that is killed or coming back says so by refusing. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      if (turn === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const postmasterPid = (): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

describe('embedded Postgres', () => {
  jest.setTimeout(60_000);
  beforeEach(() => void lines.splice(0));

  afterAll(async () => {
    for (const postgres of running) await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('makes a database and keeps its data and its address over a restart', async () => {
    const first = await start();
    expect(first.owned).toBe(true);
    await query(first.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT current_database(), id FROM kept')).toEqual([['gateway', 1]]);
    await second.stop();
  });

  it('lets a second one join, who does not stop it', async () => {
    const owner = await start();
    const guest = await start();
    expect([guest.owned, guest.url]).toEqual([false, owner.url]);
    expect(lines.at(-1)).toContain('in use by another process of the service');
    await guest.stop();
    expect(await query(owner.url, 'SELECT id FROM kept')).toEqual([[1]]);
    await owner.stop();
  });

  it('waits for one that is still shutting down', async () => {
    const first = await start();
    const stopping = first.stop();
    const second = await start();
    await stopping;
    expect(second.owned).toBe(true);
    expect(await query(second.url, 'SELECT id FROM kept')).toEqual([[1]]);
    await second.stop();
  });

  it('comes back at the same address when the server is killed', async () => {
    const postgres = await start();
    process.kill(postmasterPid(), 'SIGKILL');
    await eventually(async () => expect(lines).toContain('PostgreSQL went away; starting it again'));
    expect(await eventually(() => query(postgres.url, 'SELECT id FROM kept'))).toEqual([[1]]);
    await postgres.stop();
  });

  it('comes back at the same address though another program took its port meanwhile', async () => {
    const postgres = await start();
    const squatter = createServer();
    process.kill(postmasterPid(), 'SIGKILL');
    await eventually(() => once(squatter.listen(Number(new URL(postgres.url).port), '127.0.0.1'), 'listening'));
    await eventually(async () => expect(lines.join()).toMatch(/Another program took port \d+/));
    squatter.close();
    expect(await eventually(() => query(postgres.url, 'SELECT id FROM kept'))).toEqual([[1]]);
    await postgres.stop();
  });

  it('comes back though its watcher could not be started at first', async () => {
    const postgres = await start();
    const { spawn: spawned } = childProcess;
    const watched = jest.spyOn(childProcess, 'spawn').mockImplementation(((command: string, ...rest: []) => {
      const isFirst = watched.mock.calls.filter(([tried]) => tried === '/bin/sh').length === 1;
      return spawned(command === '/bin/sh' && isFirst ? '/no/such/shell' : command, ...rest);
    }) as typeof spawned);
    process.kill(postmasterPid(), 'SIGKILL');
    await eventually(async () => expect(watched.mock.calls.filter(([tried]) => tried === '/bin/sh')).toHaveLength(2));
    watched.mockRestore();
    expect(await eventually(() => query(postgres.url, 'SELECT id FROM kept'))).toEqual([[1]]);
    await postgres.stop();
  });

  it('keeps trying while something keeps it from starting, and comes back once that is mended', async () => {
    const postgres = await start();
    const settings = join(dataDir, 'postgres/postgresql.conf');
    const before = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${before}\nno_such_setting = on\n`);
    process.kill(postmasterPid(), 'SIGKILL');
    await eventually(async () => expect(lines.join()).toMatch(/Trying again until that is mended/));
    writeFileSync(settings, before);
    expect(await eventually(() => query(postgres.url, 'SELECT id FROM kept'))).toEqual([[1]]);
    await postgres.stop();
  });

  it('goes away when its starter is killed, and starts again after', async () => {
    const { starter, url } = await startElsewhere();
    starter.kill('SIGKILL');
    await eventually(() => expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED'));
    const postgres = await start();
    expect(postgres.owned).toBe(true);
    expect(await query(postgres.url, 'SELECT id FROM kept')).toEqual([[1]]);
    await postgres.stop();
  });

  it('is run by a guest, at the same address, once its owner is gone', async () => {
    const { starter, url } = await startElsewhere();
    const guest = await start();
    expect([guest.owned, guest.url]).toEqual([false, url]);
    starter.kill('SIGKILL');
    await eventually(async () => expect(lines.join()).toMatch(/going on with it here/));
    expect(await eventually(() => query(url, 'SELECT id FROM kept'))).toEqual([[1]]);
    await guest.stop();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('is run by its first owner again, once the guest that was quicker after a crash is gone', async () => {
    const owner = await start();
    const { starter, url } = await startElsewhere();
    expect(url).toBe(owner.url);
    await eventually(async () => {
      process.kill(postmasterPid(), 'SIGKILL');
      await eventually(() => query(url, 'SELECT 1'));
      expect(readPostmaster(join(realpathSync(dataDir), 'postgres'))?.starter).toBe(starter.pid);
    });
    starter.kill('SIGKILL');
    // It may be back before anybody finds it gone.
    await eventually(async () =>
      expect(readPostmaster(join(realpathSync(dataDir), 'postgres'))?.starter).toBe(process.pid),
    );
    expect(await eventually(() => query(url, 'SELECT id FROM kept'))).toEqual([[1]]);
    await owner.stop();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('asks for the password', async () => {
    const postgres = await start();
    const guess = Object.assign(new URL(postgres.url), { password: 'guess' }).href;
    await expect(query(guess, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await postgres.stop();
  });

  it('refuses the data of another version in one line that says what to do', async () => {
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow(/^The database in \S+ was made by PostgreSQL 15, .* set DATABASE_URL, .*$/);
  });
});

function startElsewhere(): Promise<{ starter: childProcess.ChildProcess; url: string }> {
  const source = JSON.stringify(join(__dirname, 'index.ts'));
  const options = JSON.stringify({ dataDir, fast: true });
  const script =
    `require('@swc-node/register'); ` +
    `require(${source}).startEmbeddedPostgres(${options}).then(({ url }) => console.log(url)); setInterval(() => {}, 1000)`;
  const starter = childProcess.spawn(process.execPath, ['-e', script], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    starter.stdout?.once('data', (text: Buffer) => resolve({ starter, url: text.toString().trim() }));
  });
}
