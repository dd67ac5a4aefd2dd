/** The time as a simulated provider has it: what is, or what it is told to be. */
import { type Clock, systemClock } from '#libs/domain';

/** Ten years: a clock that cannot be read any more breaks every provider until all of it is started again. */
const MOST_AHEAD_MS = 3_650 * 86_400_000;

export class SandboxClock implements Clock {
  private aheadMs = 0;

  constructor(private readonly real: Clock = systemClock) {}

  now(): Date {
    return new Date(this.real.now().getTime() + this.aheadMs);
  }

  /** Only forwards: money that was paid does not become unpaid. */
  advance(seconds: number): void {
    if (!(seconds > 0)) throw new Error('Time goes forwards: give a number of seconds above 0.');
    const aheadMs = this.aheadMs + seconds * 1000;
    if (aheadMs > MOST_AHEAD_MS) throw new Error('Ten years ahead is as far as it goes.');
    this.aheadMs = aheadMs;
  }
}
