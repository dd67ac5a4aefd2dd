/**
 * Transactions that lock one payee, one after the other in this process: whoever waits for a payee that somebody holds for
 * long keeps no connection from everybody else meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DatabaseTrouble, Db } from '#libs/db';
import { Turns } from '#libs/gatherer';

/** A place for a while, of which there are few. */
export type Room = <T>(work: () => Promise<T>) => Promise<T>;

const held = (): DatabaseTrouble => new DatabaseTrouble('timeout', new Error('somebody holds this payee for long'));

/** As long as PostgreSQL would let it wait for the lock. */
const PATIENCE = { withinMs: 10_000, late: held };
/** Between two looks; the first ones come soon, for what is held is mostly free again in a moment. */
const LOOK_AGAIN_AFTER_MS = [10, 20, 40, 80, 160];
const AT_LAST_MS = 250;

@Injectable()
export class PayeeTurns {
  private readonly turns = new Turns();
  /** Those that need a room as well: in the line of the others they would hold those up for as long as no room is free. */
  private readonly outside = new Turns();

  constructor(private readonly db: Db) {}

  /** Joins a transaction that is open already: then whoever opened it waits. */
  inTransaction<T>(payee: string, work: () => Promise<T>): Promise<T> {
    if (this.db.isInTransaction) return work();
    return this.turns.run(payee, () => this.db.inTransaction(work), PATIENCE);
  }

  /**
   * In a room that others wait for as well. Neither the payee's turn nor a lock that somebody holds is waited for inside: the
   * room is given back meanwhile. And nobody waits for the payee because the room is full.
   */
  inRoom<T>(payee: string, room: Room, work: () => Promise<T>): Promise<T> {
    this.db.assertNoTransaction('Waiting for a room');
    return this.outside.run(payee, () => whenFree(() => room(() => this.unlessHeld(payee, work))), PATIENCE);
  }

  /** The same for work that is looked up where nobody knows whether it was committed. */
  foundAgain<T>(payee: string, work: () => Promise<T>, look: () => Promise<T | null>): Promise<T> {
    return this.db.foundAgain(
      () => this.inTransaction(payee, work),
      () => this.inTransaction(payee, look),
    );
  }

  private async unlessHeld<T>(payee: string, work: () => Promise<T>): Promise<T> {
    const begun = this.turns.runIfFree(payee, () => this.db.inBriefTransaction(work));
    if (!begun) throw held();
    return begun;
  }
}

/** Looks again and again, and at last says what was in its way. */
async function whenFree<T>(look: () => Promise<T>): Promise<T> {
  let until: number | null = null; // counted from when it was held, whatever time went by before
  for (let nth = 0; ; nth += 1) {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof DatabaseTrouble) || !error.isHeld) throw error;
      until ??= performance.now() + PATIENCE.withinMs;
      if (performance.now() >= until) throw error;
      await pause(LOOK_AGAIN_AFTER_MS[nth] ?? AT_LAST_MS);
    }
  }
}
