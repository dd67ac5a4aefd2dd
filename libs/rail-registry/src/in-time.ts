/** A call that has a deadline: whoever is called late is told to stop, and nobody waits for it. */
import type { Unknown } from '#libs/rail-kit';

/** What comes later counts no more, and the rail is told so. */
export async function inTime<Answer>(
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | Unknown> {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'unknown', detail: `no answer within ${deadlineMs} ms` });
      giveUp.abort();
    }, deadlineMs);
  });
  try {
    return await Promise.race([work(giveUp.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
