/** The time as a simulated provider has it: what is, or what it is told to be. */
import { type Clock, systemClock } from '#libs/domain';

export class SandboxClock implements Clock {
  private aheadMs = 0;

  constructor(private readonly real: Clock = systemClock) {}

  now(): Date {
    return new Date(this.real.now().getTime() + this.aheadMs);
  }

  /** Only forwards: money that was paid does not become unpaid. */
  advance(seconds: number): void {
    if (!(seconds > 0)) throw new Error('Time goes forwards: give a number of seconds above 0.');
    this.aheadMs += seconds * 1000;
  }
}
