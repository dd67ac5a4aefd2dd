/**
 * Work of many that share a batch, where nobody waits for what somebody holds. What is held is mostly free again in a
 * moment; what is not waits beside the others, with work of its own lane only.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseTrouble, onBehalf } from '#libs/db';
import type { FairSlots } from './fair-slots';
import { Batcher } from './batcher';

export interface Ways<In, Out> {
  /** Without waiting: 'busy' is what would have to. */
  free(inputs: In[]): Promise<(Out | 'busy')[]>;
  /** Waits for whoever holds what these need, on a connection of its lane's share. */
  waiting(inputs: In[]): Promise<Out[]>;
}

export interface WaitLimits<In> {
  laneOf: (input: In) => string;
  /** Room for those who wait, and keep a connection meanwhile. */
  slots: FairSlots;
}

const LOOK_AGAIN_AFTER_MS = [10, 40];
const MOST_TOGETHER = 64;
const LANES_AT_ONCE = 6;

export class FreeFirst<In, Out> {
  private readonly waiting: Batcher<In, Out | DatabaseTrouble>;

  constructor(
    private readonly ways: Ways<In, Out>,
    private readonly limits: WaitLimits<In>,
  ) {
    this.waiting = new Batcher((inputs) => this.wait(inputs), {
      most: 0,
      atOnce: 0,
      laneOf: limits.laneOf,
      isLong: () => true,
      longTogether: MOST_TOGETHER,
      longAtOnce: LANES_AT_ONCE,
    });
  }

  /** `quick` gathers what goes the free way. */
  async run(input: In, quick: Batcher<In, Out | 'busy'>): Promise<Out> {
    for (const ms of LOOK_AGAIN_AFTER_MS) {
      const outcome = await quick.add(input);
      if (outcome !== 'busy') return outcome;
      await pause(ms);
    }
    const outcome = await this.waiting.add(input);
    if (outcome instanceof DatabaseTrouble) throw outcome;
    return outcome;
  }

  private wait(inputs: In[]): Promise<(Out | DatabaseTrouble)[]> {
    const [first] = inputs;
    const lane = first === undefined ? '' : this.limits.laneOf(first);
    return this.limits.slots.run(lane, async () => {
      try {
        return await onBehalf(lane || null, () => this.ways.waiting(inputs));
      } catch (error) {
        // By itself each would wait as long again, and all of them on connections of their own.
        if (inputs.length === 1 || !(error instanceof DatabaseTrouble) || !error.isHeld) throw error;
        return (await this.ways.free(inputs)).map((outcome) => (outcome === 'busy' ? error : outcome));
      }
    });
  }
}
