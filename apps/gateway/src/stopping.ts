/** Whether this process was asked to stop: from then on it is not ready, and takes no new request. */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

@Injectable()
export class Stopping implements OnApplicationShutdown {
  private answered: Promise<void> = Promise.resolve();
  private until = 0;
  private asked = false;
  private whenTidying: () => void = () => undefined;
  /** Settles when requests and jobs are over: what is left is to close connections. */
  readonly tidying = new Promise<void>((resolve) => (this.whenTidying = resolve));

  get begun(): boolean {
    return this.asked;
  }

  /** `answered` settles with the last request under way, which is waited for until that long from now. */
  begin(answered: Promise<void>, withinMs: number): void {
    this.asked = true;
    this.answered = answered;
    this.until = performance.now() + withinMs;
  }

  /** Nest cuts every connection after this. Jobs have been waited for meanwhile. */
  async requestsAnswered(): Promise<void> {
    const left = Math.max(0, this.until - performance.now());
    await Promise.race([this.answered, pause(left, undefined, { ref: false })]);
  }

  /** The application's own module comes first here. */
  onApplicationShutdown(): void {
    this.whenTidying();
  }
}
