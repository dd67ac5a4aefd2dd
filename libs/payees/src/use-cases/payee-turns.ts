/**
 * Transactions that lock one payee, one after the other in this process: whoever waits for a payee that somebody holds for
 * long keeps no connection from everybody else meanwhile.
 */
import { Injectable } from '@nestjs/common';
import { DatabaseTrouble, Db } from '#libs/db';
import { Turns } from '#libs/gatherer';

/** As long as PostgreSQL would let it wait for the lock. */
const PATIENCE = {
  withinMs: 10_000,
  late: () => new DatabaseTrouble('timeout', new Error('somebody holds this payee for long')),
};

@Injectable()
export class PayeeTurns {
  private readonly turns = new Turns();

  constructor(private readonly db: Db) {}

  /** Joins a transaction that is open already: then whoever opened it waits. */
  inTransaction<T>(payee: string, work: () => Promise<T>): Promise<T> {
    if (this.db.isInTransaction) return work();
    return this.turns.run(payee, () => this.db.inTransaction(work), PATIENCE);
  }

  /** The same for work that is looked up where nobody knows whether it was committed. */
  foundAgain<T>(payee: string, work: () => Promise<T>, look: () => Promise<T | null>): Promise<T> {
    return this.db.foundAgain(
      () => this.inTransaction(payee, work),
      () => this.inTransaction(payee, look),
    );
  }
}
