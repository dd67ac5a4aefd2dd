/** A simulated provider's notices to its customers, in order and repeated until they are heard, unless a fault says otherwise. */
import type { Faults, NoticeEffect } from './faults';

export interface Notice {
  body: string;
  headers: Record<string, string>;
}

/** As a provider does, only faster: five tries in some fifteen seconds. */
const RESTS_MS = [1_000, 2_000, 4_000, 8_000];
const USUAL_LATENESS_SECONDS = 5;

export class NoticeSender {
  private queue: Promise<void> = Promise.resolve();
  private heldBack: Notice | null = null;
  private stopped = new AbortController();

  /** `forge`: the same notice with a signature that is not the provider's. */
  constructor(
    private readonly faults: Faults,
    private readonly forge: (notice: Notice) => Notice,
  ) {}

  /** Says at once that it will; an address that nobody gave is told nothing. */
  tell(url: string | null, notice: Notice): void {
    const fault = this.faults.strikeNotice(notice.body);
    if (url === null || fault?.effect === 'notice_lost') return;
    if (fault?.effect === 'notice_reordered') return void (this.heldBack = notice);
    const told = this.inOrder(notice, fault?.effect);
    const restMs = fault?.effect === 'notice_late' ? (fault.seconds ?? USUAL_LATENESS_SECONDS) * 1000 : 0;
    this.queue = this.queue.then(async () => {
      await this.rest(restMs);
      for (const each of told) await this.deliver(url, each);
    });
  }

  /** When all is told that there was to tell. */
  settled(): Promise<void> {
    return this.queue;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.queue;
  }

  /** A notice that was held back comes after one that should have come later. */
  private inOrder(notice: Notice, effect?: NoticeEffect): Notice[] {
    const before = this.heldBack;
    this.heldBack = null;
    const told = effect === 'notice_forged' ? [this.forge(notice)] : [notice];
    if (effect === 'notice_twice') told.push(notice);
    return before ? [...told, before] : told;
  }

  private async deliver(url: string, { body, headers }: Notice): Promise<void> {
    for (const restMs of [0, ...RESTS_MS]) {
      await this.rest(restMs);
      if (this.stopped.signal.aborted) return;
      const status = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        .then((response) => response.status)
        .catch(() => 0); // whoever is not there is tried again, as a provider does
      if (status >= 200 && status < 300) return;
      if (status === 401) return; // it was called a forgery: saying it again does not help
    }
  }

  private rest(ms: number): Promise<void> {
    if (ms === 0) return Promise.resolve();
    const { signal } = this.stopped;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}
