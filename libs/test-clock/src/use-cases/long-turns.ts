/** Who moves the times of all rows of a client, or takes them all, waits for its turn where it keeps nobody else from anything. */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairSlots, type Patience, Turns } from '#libs/batcher';
import { DatabaseTrouble, Db, onBehalfOfAll } from '#libs/db';
import { keepPlace, leaveLine, NotItsTurn, standInLine } from '../db/long-turn';

/** Each has a connection. One has it for long at most, and leaves the other place to those that are short. */
const AT_ONCE = { atOnce: 2, perLane: 1 };
/** As long as PostgreSQL would let it wait for a lock. */
const PATIENCE_MS = 10_000;
const AGAIN_AFTER_MS = 250;
const KEEPS_EVERY_MS = 1_000;

@Injectable()
export class LongTurns {
  private readonly slots = new FairSlots(AT_ONCE);
  /** However many requests of a client wait here, one of them looks for its turn, and they have one place in the line. */
  private readonly ofClients = new Turns();
  private readonly places = new Map<string, { waiting: number; end: () => void }>();

  constructor(private readonly db: Db) {}

  /**
   * `work` is one brief transaction. As long as it is not its turn, or somebody holds a row of it, it is tried again, and meanwhile has
   * neither a connection nor a place here. Its patience begins when it asks: it may wait for all of it in the line of its own client.
   */
  async run<T>(clientId: string, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    const place = this.places.get(clientId) ?? { waiting: 0, end: this.keeping(clientId) };
    this.places.set(clientId, place);
    place.waiting += 1;
    try {
      return await this.ofClients.run(clientId, () => this.untilDone(clientId, work, until), patienceUntil(until));
    } finally {
      place.waiting -= 1;
      if (place.waiting === 0) {
        this.places.delete(clientId);
        place.end();
      }
    }
  }

  /** Its place in the line of those with many rows does not depend on whether others let it look from here. */
  private keeping(clientId: string): () => void {
    let isAsking = false;
    const keep = async (): Promise<void> => {
      if (isAsking) return; // one at a time: each takes a connection
      isAsking = true;
      // If that fails, the next one is soon, and the work itself tells of a database in trouble.
      await onBehalfOfAll(() => keepPlace(this.db, clientId), clientId).catch(() => undefined);
      isAsking = false;
    };
    const timer = setInterval(() => void keep(), KEEPS_EVERY_MS).unref();
    return () => clearInterval(timer);
  }

  private async untilDone<T>(clientId: string, work: () => Promise<T>, until: number): Promise<T> {
    for (;;) {
      try {
        return await this.slots.run(clientId, () => this.inLine(clientId, work), patienceUntil(until));
      } catch (error) {
        if (!comesAgain(error) || performance.now() >= until) throw error;
      }
      await pause(AGAIN_AFTER_MS * (0.5 + Math.random()));
    }
  }

  /**
   * Who was refused stands in the line, and who was not leaves it, before the next one of this client has the place: that one would have the
   * next turn as well. The client's share of the connections is not waited for here: others want the place.
   */
  private async inLine<T>(clientId: string, work: () => Promise<T>): Promise<T> {
    let move = leaveLine;
    try {
      return await work();
    } catch (error) {
      if (error instanceof NotItsTurn) move = standInLine;
      throw error;
    } finally {
      const moved = onBehalfOfAll(() => move(this.db, clientId), clientId);
      await moved.catch(() => undefined); // whatever came of the work counts, and who is not heard of again leaves by itself
    }
  }
}

const patienceUntil = (until: number): Patience => ({
  withinMs: until - performance.now(),
  late: () => new NotItsTurn(),
});

const comesAgain = (error: unknown): boolean =>
  error instanceof NotItsTurn || (error instanceof DatabaseTrouble && error.isHeld);
