/** The server's command line. Two settings of our own in it tell a later start whose server it is. */
import { pid } from 'node:process';

export const STARTER_SETTING = 'gateway.starter';

export function whereSetting(directory: string): string {
  return `gateway.data_directory=${directory} `;
}

const ALWAYS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '256MB',
  autovacuum_naptime: '5s', // a young database outgrows its statistics, and the plans made by them, within seconds
  jit: 'off', // costs more than it saves on short statements
  log_min_messages: 'log', // a refused duplicate is an answer here, no news for the server's log
  log_checkpoints: 'off',
};

const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export function serverArguments(directory: string, seenAs: string, port: number, fast: boolean): string[] {
  const settings = Object.entries({ ...ALWAYS, ...(fast ? FAST : {}) }).map(([name, value]) => `${name}=${value}`);
  const ours = [whereSetting(directory).trimEnd(), `${STARTER_SETTING}=${pid}`];
  return ['-D', seenAs, '-p', String(port), ...[...settings, ...ours].flatMap((setting) => ['-c', setting])];
}
