/** A call that has a deadline: whoever is called late is told to stop, and nobody waits for it. */
import { deadlineIn } from '#libs/domain';
import type { Unknown } from '#libs/rail-kit';

/** `when`: not now, but if it is so when whoever is called looks whether to go on. */
export type CallOff = (why: string, when?: () => boolean) => void;

/** An answer that comes later is not used, and the rail is told so; nor one of a call that is called off. */
export async function inTime<Answer>(
  deadlineMs: number,
  work: (signal: AbortSignal, callOff: CallOff) => Promise<Answer>,
): Promise<Answer | Unknown> {
  const giveUp = new AbortController();
  const isPast = deadlineIn(deadlineMs);
  const conditions: { why: string; when: () => boolean }[] = [];
  const signal = toldByWhoLooks(giveUp, () => {
    const found = conditions.find(({ when }) => when());
    if (found) callOff(found.why);
    else if (isPast()) giveUp.abort();
  });
  let isOver: (said: Unknown) => void = () => undefined;
  const over = new Promise<Unknown>((resolve) => (isOver = resolve));
  const callOff: CallOff = (detail, when) => {
    if (when) return void conditions.push({ why: detail, when });
    isOver({ kind: 'unknown', detail });
    giveUp.abort();
  };
  const timer = setTimeout(() => callOff(`no answer within ${deadlineMs} ms`), deadlineMs);
  try {
    return await Promise.race([work(signal, callOff), over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A process that stood still reads what lies in its sockets before its timers run, and on a machine that slept they run as much later:
 * whoever looks then is told by the time that it is.
 */
function toldByWhoLooks(giveUp: AbortController, look: () => void): AbortSignal {
  const { signal } = giveUp;
  const isAborted = (): boolean => Reflect.get(AbortSignal.prototype, 'aborted', signal) as boolean;
  return Object.defineProperty(signal, 'aborted', {
    get: () => {
      if (!isAborted()) look();
      return isAborted();
    },
  });
}
