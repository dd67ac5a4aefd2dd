/** How the service connects: every wait has a limit, and a lost idle connection never takes the process down. */
import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations';

export interface DatabaseSettings {
  url: string;
  poolSize: number;
  onPoolError: (error: Error) => void;
}

export function dataSourceOptions({ url, poolSize, onPoolError }: DatabaseSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    parseInt8: true,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolErrorHandler: onPoolError,
    applicationName: 'payout-gateway',
    extra: {
      max: poolSize,
      // Every statement here is short: compiling one, or planning it for spinning disks, costs more than running it.
      options: '-c jit=off -c random_page_cost=1.1',
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 120_000,
    },
  };
}
