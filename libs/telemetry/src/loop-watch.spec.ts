import { setTimeout as pause } from 'node:timers/promises';
import { loopWatch } from './loop-watch';
import { metricsRegistry } from './metrics';

/** Computes, as a body that is too big would have it do. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const longestSeconds = async (): Promise<number> =>
  Number(/^gw_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(await metricsRegistry.metrics())?.[1]);

test('an event loop that was blocked is told of, and measured until it is asked for', async () => {
  const blocked: number[] = [];
  loopWatch.start((ms) => blocked.push(ms));
  try {
    await pause(100);
    block(300);
    // A slow machine may have blocked it before, for less.
    while (!blocked.some((ms) => ms > 200)) await pause(10);
    // Two timers measure it, and on a slow machine the other one runs later. Until then, each look shows what was before.
    let longest = 0;
    while (longest <= 0.2) {
      await pause(10);
      longest = await longestSeconds();
    }
    expect(Math.max(...blocked) / 1000).toBeGreaterThan(0.2);
  } finally {
    loopWatch.stop();
  }
});
