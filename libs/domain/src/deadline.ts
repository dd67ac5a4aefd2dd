/**
 * Whether so much time has passed since this was made. Ticks stand still while a machine sleeps, and its time may be set back: it is over
 * once either says so.
 */
import { systemClock } from './clock';

export function deadlineIn(ms: number): () => boolean {
  const tick = performance.now() + ms;
  const time = systemClock.now().getTime() + ms;
  return () => performance.now() >= tick || systemClock.now().getTime() >= time;
}
