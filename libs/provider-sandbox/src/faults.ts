/** Faults of a simulated provider, on request. Each strikes as often as was asked for, and then is gone. */
import type { SandboxRequest } from './sandbox-server';

export const EFFECTS = [
  /** Nothing is done, and the connection is cut. */
  'cut_before',
  /** The work is done, and the connection is cut before the answer. */
  'cut_after',
  /** Nothing is done, and nobody answers. */
  'silence_before',
  /** The work is done, and nobody answers. */
  'silence_after',
  /** 429 with `Retry-After`; nothing is done. */
  'too_many',
  /** 500; nothing is done. */
  'server_error',
  /** The work is done, and 500 is answered all the same. */
  'server_error_after',
  /** A proxy's page of HTML; nothing is done. */
  'garbage',
  /** The work is done and answered, after so many seconds. */
  'slow',
  /** The earlier answer, if there was one: a copy of the books that lags behind. */
  'stale_read',
  /** The work is done and answered, in other words: those of `words`, by the fields that they stand in, however deep. */
  'reworded',
  /** Answers with this text, word for word; nothing is done. */
  'answer',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** Faults of the notices that the provider sends by itself. */
export const NOTICE_EFFECTS = [
  'notice_twice',
  'notice_reordered',
  'notice_late',
  'notice_lost',
  'notice_forged',
] as const;
export type NoticeEffect = (typeof NOTICE_EFFECTS)[number];

export interface Fault {
  effect: Effect | NoticeEffect;
  /** Any call, or notice, if nothing is said. */
  match?: { method?: string; path?: string; contains?: string };
  /** How often; once if nothing is said. */
  times?: number;
  /** Of `too_many`, `slow` and `notice_late`. */
  seconds?: number;
  /** Of `answer`. */
  answer?: { status: number; body: unknown };
  /** Of `reworded`. */
  words?: Readonly<Record<string, string>>;
}

const isEffect = (effect: string): effect is Effect => (EFFECTS as readonly string[]).includes(effect);

export class Faults {
  private asked: (Fault & { left: number })[] = [];

  ask(fault: Fault): void {
    this.asked.push({ ...fault, left: fault.times ?? 1 });
  }

  /** Those that have not struck as often as they should. */
  list(): readonly (Fault & { left: number })[] {
    return this.asked;
  }

  clear(): void {
    this.asked = [];
  }

  /** The first that is about this call: it has struck once more then. */
  strike(request: Pick<SandboxRequest, 'method' | 'path' | 'body'>): (Fault & { effect: Effect }) | null {
    return this.take(
      (fault): fault is Fault & { effect: Effect; left: number } => isEffect(fault.effect) && isAbout(fault, request),
    );
  }

  /** The same for a notice. */
  strikeNotice(body: string): (Fault & { effect: NoticeEffect }) | null {
    const about = { method: 'POST', path: '', body };
    return this.take(
      (fault): fault is Fault & { effect: NoticeEffect; left: number } =>
        !isEffect(fault.effect) && isAbout(fault, about),
    );
  }

  private take<Kind extends Fault>(
    isIt: (fault: Fault & { left: number }) => fault is Kind & { left: number },
  ): Kind | null {
    const fault = this.asked.find(isIt);
    if (!fault) return null;
    fault.left -= 1;
    this.asked = this.asked.filter(({ left }) => left > 0);
    return fault;
  }
}

function isAbout(
  { match = {} }: Fault,
  { method, path, body }: Pick<SandboxRequest, 'method' | 'path' | 'body'>,
): boolean {
  if (match.method !== undefined && match.method !== method) return false;
  if (match.path !== undefined && !path.startsWith(match.path)) return false;
  return match.contains === undefined || body.includes(match.contains) || path.includes(match.contains);
}
