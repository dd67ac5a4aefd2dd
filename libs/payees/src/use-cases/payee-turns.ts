/**
 * Runs transactions that lock one payee one after the other in this process: so waiting for a payee whom somebody holds for long keeps
 * no connection from everybody else.
 */
import { Injectable } from '@nestjs/common';
import { Turns } from '#libs/batcher';
import { DatabaseTrouble, Db, whenFree } from '#libs/db';

/** A place for a while, of which there are few. */
export type Room = <T>(work: () => Promise<T>) => Promise<T>;

const held = (): DatabaseTrouble => new DatabaseTrouble('timeout', new Error('somebody holds this payee for long'));

/** As long as PostgreSQL would let it wait for the lock. */
const PATIENCE = { withinMs: 10_000, late: held };
/** For so long somebody in the room waits for a turn, longer each time; others wait for the room meanwhile. */
const MOMENT_MS = [250, 500];
const AT_LAST_MS = 1_000;

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
   * In a room that others wait for as well. If something is held for longer than a moment, the payee's turn or a lock, it is waited for
   * outside, and the room is given back meanwhile. And nobody waits for the payee because the room is full.
   */
  inRoom<T>(payee: string, room: Room, work: () => Promise<T>): Promise<T> {
    this.db.assertNoTransaction('Waiting for a room');
    return this.outside.run(payee, () => whenFree((nth) => room(() => this.unlessHeld(payee, work, nth))), PATIENCE);
  }

  /** The same for work that is looked up if nobody knows whether it was committed. */
  foundAgain<T>(payee: string, work: () => Promise<T>, look: () => Promise<T | null>): Promise<T> {
    return this.db.foundAgain(
      () => this.inTransaction(payee, work),
      () => this.inTransaction(payee, look),
    );
  }

  /** It has a place in the line for a moment, and comes in its order if turns are short. */
  private unlessHeld<T>(payee: string, work: () => Promise<T>, nth: number): Promise<T> {
    const withinMs = MOMENT_MS[nth] ?? AT_LAST_MS;
    return this.turns.run(payee, () => this.db.inBriefTransaction(work), { withinMs, late: held });
  }
}
