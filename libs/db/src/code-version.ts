/**
 * Which code may work on which database. A version of the code is the number of the newest migration it knows; the database
 * carries the oldest version that understands what is in it. Code from before that must not touch it.
 */
import type { MigrationInterface } from 'typeorm';
import { DatabaseTrouble } from './database-trouble';
import { MIGRATIONS } from './migrations';

export interface MigrationClass {
  new (): MigrationInterface;
  readonly name: string;
  /** Code from before it can go on beside it: it only adds what older code need not know of. */
  readonly besideOlderCode?: true;
}

/** The name of every migration ends with it. */
export function numberOf({ name }: { name: string }): number {
  return Number(/\d{13}$/.exec(name)?.[0]);
}

export const newestOf = (migrations: readonly MigrationClass[]): number => Math.max(...migrations.map(numberOf));

/** Of this code. */
export const CODE_VERSION = newestOf(MIGRATIONS);

/** Somebody raised the floor, or took that back. */
export const FLOOR_CHANNEL = 'gw_code_floor';
export const MIGRATION_LOCK = 727_001;

/**
 * An announcement counts while its announcer lives: it holds the lock until it has migrated, and PostgreSQL frees the lock when it dies.
 */
export const FLOOR = `(
  SELECT greatest(oldest_code, CASE WHEN announced_code IS NOT NULL AND EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = ${MIGRATION_LOCK} AND classid = 0
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) THEN announced_code END)::float8 FROM code_floor)`;

export class OutdatedCode extends DatabaseTrouble {
  constructor() {
    super('outdated', new Error('The database belongs to a newer version of this service. Stop this process.'));
    this.name = 'OutdatedCode';
  }
}
