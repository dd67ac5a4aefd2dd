/** How the service connects: every wait has a limit, and a lost connection never takes the process down. */
import type { Client } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { CODE_VERSION } from './code-version';
import { DatabasePlace } from './database-place';
import { askFirst } from './first-question';
import { MIGRATIONS } from './migrations';
import { bareAddress, sessionNameOf } from './session-name';
import { LIMITS, optionsFor } from './session-settings';

/** For a server that is silent for good: past the time in which a live one would have given up the statement itself. */
export const SILENT_AFTER_MS = 35_000;

/** A connection knows its statements, and their plans: a new one for each burst of work costs more than one that is kept. */
const IDLE_CONNECTION_MS = 60_000;

/** Whoever forwards a connection that says nothing for long is shown that it is in use: they may drop it after some minutes. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

export interface DatabaseSettings {
  url: string;
  poolSize: number;
  onPoolError: (error: Error) => void;
  place?: DatabasePlace;
}

export function dataSourceOptions({
  url,
  poolSize,
  onPoolError,
  place = new DatabasePlace(),
}: DatabaseSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url: bareAddress(url),
    parseInt8: true,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolErrorHandler: onPoolError,
    applicationName: sessionNameOf(CODE_VERSION),
    extra: {
      max: poolSize,
      pipeline: true,
      options: optionsFor(url),
      ...LIMITS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      connectionTimeoutMillis: 5_000,
      query_timeout: SILENT_AFTER_MS,
      onConnect: async (client: Client) => {
        survive(client);
        await askFirst(client, url, place);
      },
    },
  };
}

/**
 * The pool listens to its connections only while they are idle, and an 'error' that nobody listens to ends the process. A user of a
 * connection learns of its loss from the statement.
 */
export function survive(client: Client): void {
  client.on('error', () => undefined);
}
