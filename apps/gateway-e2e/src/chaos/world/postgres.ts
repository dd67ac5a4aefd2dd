/** A PostgreSQL of the run's own, which syncs what it commits, and what can happen to it and to its sessions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#libs/embedded-postgres';
import type { Chronicle } from '../chronicle';

const MOST_TRIES = 1_200;
/** In postmaster.pid, counted from 0. */
const STATUS_LINE = 7;

export class Postgres {
  private server: EmbeddedPostgres;

  constructor(private readonly chronicle: Chronicle) {}

  get url(): string {
    return this.server.url;
  }

  async start(): Promise<void> {
    const log = (line: string): void => this.chronicle.note('postgres', line);
    this.server = await startEmbeddedPostgres({ dataDir: this.directory, log });
  }

  /**
   * Nothing is finished, nothing is flushed: whoever started it starts it again, and it recovers from its log. One that is
   * not ready yet is left alone: its starter takes a second end within the start for a reason to give up.
   */
  restartAtOnce(why: string): void {
    const pid = this.postmaster();
    if (pid === null) return;
    this.chronicle.note('postgres', `stopped in immediate mode, ${why}`);
    kill(pid, 'SIGQUIT');
  }

  /** `share`: of the gateway's sessions, each with this chance. */
  async endSessions(share: number, why: string): Promise<void> {
    const ended = await this.rows<{ ended: boolean }>(
      `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
       WHERE application_name LIKE 'payout-gateway%' AND random() < $1`,
      [share],
    ).catch(() => []);
    this.chronicle.note('postgres', `${ended.length} sessions ended, ${why}`);
  }

  async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'chaos',
      ssl: false,
      connectionTimeoutMillis: 30_000,
    });
    client.on('error', () => undefined); // a server that goes away also rejects the query
    try {
      await client.connect();
      return (await client.query<T>(sql, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** All its processes stand still, as on a machine that swaps or a disk that hangs. */
  async pauseFor(ms: number): Promise<void> {
    const postmaster = this.postmaster();
    if (postmaster === null) return;
    const pids = [postmaster, ...childrenOf(postmaster)];
    this.chronicle.note('postgres', `stands still for ${ms} ms`);
    for (const pid of pids) signalled(pid, 'SIGSTOP');
    await pause(ms);
    for (const pid of pids) signalled(pid, 'SIGCONT');
    this.chronicle.note('postgres', 'goes on');
  }

  async isUp(): Promise<void> {
    for (let turn = 0; turn < MOST_TRIES; turn += 1) {
      if (await this.rows('SELECT 1').catch(() => null)) return;
      await pause(100);
    }
    throw new Error('PostgreSQL did not come back.');
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  private get directory(): string {
    return join(this.chronicle.directory, 'database');
  }

  private postmaster(): number | null {
    try {
      const lines = readFileSync(join(this.directory, 'postgres/postmaster.pid'), 'utf8').split('\n');
      return lines[STATUS_LINE]?.trim() === 'ready' ? Number(lines[0]) : null;
    } catch {
      return null; // it is on its way up again
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return null; // it is gone
  }
}

/** It may be gone by now. */
function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    return;
  }
}
