/** How the service connects: every wait has a limit, and a lost connection never takes the process down. */
import type { Client } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { CODE_VERSION } from './code-version';
import { DatabasePlace } from './database-place';
import { askFirst } from './first-question';
import { MIGRATIONS } from './migrations';
import { bareAddress, optionsFor, sessionNameOf } from './session-name';

/**
 * Nothing here waits in a transaction for anything but PostgreSQL. A process that stands still in one keeps its locks from everybody else
 * no longer than this, and finds its work undone when it wakes.
 */
const IDLE_IN_TRANSACTION_MS = 15_000;

/** For a server that is silent for good: past the time in which a live one would have given up the statement itself. */
export const SILENT_AFTER_MS = 35_000;

/** A connection knows its statements, and their plans: a new one for each burst of work costs more than one that is kept. */
const IDLE_CONNECTION_MS = 60_000;

/** Whoever forwards a connection that says nothing for long is shown that it is in use: they may drop it after some minutes. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/**
 * Whatever the database or its role are set to: of dates that it writes as people do nothing can be read, and a key that was revoked would count;
 * nor can lists in which NULL is a word; who waits for a row goes on with what it has become; what is committed is known after a crash, before a
 * rail is told of it; and a connection may be idle.
 */
export const AS_WRITTEN_FOR =
  '-c datestyle=ISO -c array_nulls=on -c default_transaction_isolation=read\\ committed -c synchronous_commit=on -c idle_session_timeout=0';

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
      // Every statement here is short: compiling one, or planning it for spinning disks, costs more than running it. And none takes
      // the processors that others' are waiting for.
      options: optionsFor(
        url,
        `-c jit=off -c random_page_cost=1.1 -c max_parallel_workers_per_gather=0 ${AS_WRITTEN_FOR}`,
      ),
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      query_timeout: SILENT_AFTER_MS,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      onConnect: async (client: Client) => {
        survive(client);
        await askFirst(client, place);
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
