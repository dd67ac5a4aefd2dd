/** Who moves the times of all rows of a client, or takes them all, waits for its turn where it keeps nobody else from anything. */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairSlots } from '#libs/batcher';
import { NotItsTurn } from '../db/long-turn';

/** Each has a connection. One has it for long at most, and leaves the other place to those that are short. */
const AT_ONCE = { atOnce: 2, perLane: 1 };
/** As long as PostgreSQL would let it wait for a lock. */
const PATIENCE_MS = 10_000;
const AGAIN_AFTER_MS = 250;

@Injectable()
export class LongTurns {
  private readonly slots = new FairSlots(AT_ONCE);

  /**
   * `work` is one transaction. As long as it is not its turn, or `givesWay` to what it met, it is tried again, and meanwhile has neither
   * a connection nor a place here.
   */
  async run<T>(
    clientId: string,
    work: () => Promise<T>,
    givesWay: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    let until: number | null = null;
    for (;;) {
      try {
        return await this.slots.run(clientId, work);
      } catch (error) {
        if (!(error instanceof NotItsTurn) && !givesWay(error)) throw error;
        until ??= performance.now() + PATIENCE_MS;
        if (performance.now() >= until) throw error;
      }
      await pause(AGAIN_AFTER_MS * (0.5 + Math.random()));
    }
  }
}
