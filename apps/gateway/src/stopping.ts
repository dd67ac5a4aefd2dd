/** That this process was asked to stop: from then on it is not ready, and takes no new request. */
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

@Injectable()
export class Stopping implements BeforeApplicationShutdown {
  private answered: Promise<void> = Promise.resolve();
  private until = 0;
  private asked = false;

  get begun(): boolean {
    return this.asked;
  }

  /** `answered` settles with the last request under way, which is waited for until that long from now. */
  begin(answered: Promise<void>, withinMs: number): void {
    this.asked = true;
    this.answered = answered;
    this.until = performance.now() + withinMs;
  }

  /** Nest cuts every connection after this. */
  async beforeApplicationShutdown(): Promise<void> {
    const left = Math.max(0, this.until - performance.now());
    await Promise.race([this.answered, pause(left, undefined, { ref: false })]);
  }
}
