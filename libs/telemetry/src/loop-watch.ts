/**
 * How late the event loop is: while it is blocked nothing is answered and no lease is renewed. Every process measures it
 * for /metrics, and whoever watches is told of each time it was blocked for long.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import { metricsRegistry } from './metrics';

const RESOLUTION_MS = 10;
const LOOK_MS = 50;
/** Work that is done in one go must take less. */
const BLOCKED_MS = 100;
/** So long it was stopped, or starved: no work of ours takes it. */
const STANDSTILL_MS = 1_000;

class LoopWatch {
  private readonly delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private look: NodeJS.Timeout | undefined;
  private lookedAt = 0;
  private stoodStillUntil = -Infinity;
  private onBlocked: (ms: number) => void = () => undefined;

  constructor() {
    const { delays } = this;
    new Gauge({
      name: 'gw_event_loop_delay_seconds',
      help: 'How late the event loop ran since the last scrape: the median, the 99th percentile and the longest.',
      labelNames: ['quantile'] as const,
      registers: [metricsRegistry],
      collect() {
        for (const [quantile, share] of Object.entries({ 0.5: 50, 0.99: 99, 1: 100 }))
          this.set({ quantile }, secondsLate(delays.percentile(share)));
        delays.reset();
      },
    });
  }

  start(onBlocked: (ms: number) => void): void {
    this.delays.enable();
    this.onBlocked = onBlocked;
    this.lookedAt = performance.now();
    this.look = setInterval(() => this.lookNow(), LOOK_MS).unref();
  }

  /** Work that waited meanwhile may run before the timer. */
  stoodStillWithin(ms: number): boolean {
    if (this.look) this.lookNow();
    return performance.now() - this.stoodStillUntil < ms;
  }

  /** `at`: a time of `performance.now()`. */
  stoodStillSince(at: number): boolean {
    if (this.look) this.lookNow();
    return this.stoodStillUntil > at;
  }

  stop(): void {
    clearInterval(this.look);
    this.look = undefined;
    this.delays.disable();
  }

  private lookNow(): void {
    const now = performance.now();
    const lateMs = now - this.lookedAt - LOOK_MS;
    this.lookedAt = now;
    if (lateMs >= STANDSTILL_MS) this.stoodStillUntil = now;
    if (lateMs >= BLOCKED_MS) this.onBlocked(lateMs);
  }
}

/** The time from one look to the next is measured. */
const secondsLate = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);

export const loopWatch = new LoopWatch();
