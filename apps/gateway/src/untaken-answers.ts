/** Answers that nobody takes: each stays in our memory until it is read, so whoever reads too slowly is cut off. */
import type { ServerResponse } from 'node:http';
import { metrics } from '#libs/telemetry';

/** As long as a request may take to arrive, and a little more. */
const WITHIN_MS = 30_000;
const WITHIN_MS_OF_A_STOP = 5_000;
const LOOK_EVERY_MS = 2_000;

export class UntakenAnswers {
  private readonly seenAt = new WeakMap<ServerResponse, number>();
  private withinMs = WITHIN_MS;

  constructor(private readonly underWay: () => Iterable<ServerResponse>) {
    setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** A process that stops waits for nobody who only holds on to an answer. */
  hurry(): void {
    this.withinMs = WITHIN_MS_OF_A_STOP;
  }

  look(now: number): void {
    for (const response of this.underWay()) {
      if (!response.headersSent) continue;
      const seenAt = this.seenAt.get(response) ?? now;
      this.seenAt.set(response, seenAt);
      if (now - seenAt < this.withinMs) continue;
      metrics.turnedAway.inc({ for: 'answers' });
      response.destroy();
    }
  }
}
