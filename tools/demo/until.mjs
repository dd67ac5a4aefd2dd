// Waits for what comes by itself: a notice, a job, a mail.
import { setTimeout as pause } from 'node:timers/promises';

const WAITS_MS = 60_000;
const PAUSE_MS = 100;

export async function until(what, ask) {
  const deadline = performance.now() + WAITS_MS;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Waited a minute for ${what}, in vain.`);
    await pause(PAUSE_MS);
  }
}
