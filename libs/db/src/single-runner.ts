/** Runs a piece of periodic work in one process at a time, however many have the same schedule. */
import { Injectable } from '@nestjs/common';
import { Db } from './db';

@Injectable()
export class SingleRunner {
  constructor(private readonly db: Db) {}

  /**
   * The row lock on `runner:<name>` is held by an advisory lock of a transaction that does nothing else; the work itself
   * runs outside of it. Answers null where another process is at it.
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    return this.db.inTransaction(async () => {
      const lock = await this.db.row<{ mine: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine',
        [`runner:${name}`],
      );
      return lock?.mine ? this.db.outsideTransaction(work) : null;
    });
  }
}
