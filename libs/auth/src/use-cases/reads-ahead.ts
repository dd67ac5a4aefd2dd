/**
 * Requests of a client's minute that this process counted before they came, so that a read waits for no counter. They are few,
 * a fiftieth of the limit at most, and as many as it was asked for lately. What nobody used within a second is given back.
 */
import { log } from '#libs/telemetry';
import { AdmissionStore } from '../db/admission.store';

/** So soon what a process did not use is there for the others again. */
export const KEPT_MS = 1_000;
/** Of a client's limit. */
const SHARE = 1 / 50;
const MOST = 1_000;
/** For fewer the two statements of a portion would not be worth it. */
const FEWEST = 4;

interface Held {
  minute: number;
  size: number;
  left: number;
  minuteEndsAt: number;
  timer: NodeJS.Timeout;
}

/** Of one client. */
class Reader {
  held: Held | null = null;
  since = performance.now();
  /** Since then. */
  reads = 0;
  taking: Promise<void> | null = null;
  givingBack: Promise<void> | null = null;
  gaveBackAt = -Infinity;

  constructor(public limitPerMinute: number) {}

  count(): void {
    const now = performance.now();
    if (now - this.since > KEPT_MS) Object.assign(this, { since: now, reads: 0 });
    this.reads += 1;
  }
}

type Asking = { clientId: string; limitPerMinute: number };

export class ReadsAhead {
  private readonly readers = new Map<string, Reader>();
  private stopping = false;

  constructor(private readonly store: AdmissionStore) {}

  /** Of one read that was counted ahead: the seconds until its minute is over. null if it has to be counted by itself. */
  use(asking: Asking): number | null {
    const reader = this.readerOf(asking);
    reader.count();
    const { held } = reader;
    const leftMs = held ? held.minuteEndsAt - performance.now() : 0;
    if (!held || held.left === 0 || leftMs <= 0) return null;
    held.left -= 1;
    return Math.ceil(leftMs / 1_000);
  }

  /** After a read that was counted by itself: if there are many of them, the next ones are counted together. */
  takeMore(asking: Asking): void {
    const reader = this.readerOf(asking);
    const size = Math.min(2 * reader.reads, Math.floor(reader.limitPerMinute * SHARE), MOST);
    if (reader.taking || reader.held?.left || reader.reads < FEWEST || size < FEWEST || this.stopping) return;
    reader.taking = this.take(asking.clientId, reader, size).finally(() => (reader.taking = null));
  }

  /** For one who was refused: whether something came back since it asked, so that it may ask again. */
  async givesBack(clientId: string, askedAt: number): Promise<boolean> {
    const reader = this.readers.get(clientId);
    if (!reader) return false;
    await reader.taking;
    await this.end(clientId, reader);
    return reader.gaveBackAt >= askedAt;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.readers].map(([clientId, { since }]) => this.givesBack(clientId, since)));
  }

  /** Permits taken under another limit go back. */
  private readerOf({ clientId, limitPerMinute }: Asking): Reader {
    const known = this.readers.get(clientId);
    const reader = known ?? new Reader(limitPerMinute);
    if (!known) this.readers.set(clientId, reader);
    if (reader.limitPerMinute !== limitPerMinute) void this.end(clientId, reader);
    reader.limitPerMinute = limitPerMinute;
    return reader;
  }

  private async take(clientId: string, reader: Reader, size: number): Promise<void> {
    void this.end(clientId, reader);
    const askedAt = performance.now();
    Object.assign(reader, { since: askedAt, reads: 0 });
    const { limitPerMinute } = reader;
    try {
      const portion = await this.store.takeAhead(clientId, size, limitPerMinute);
      if (!portion) return;
      const timer = setTimeout(() => void this.end(clientId, reader), KEPT_MS).unref();
      reader.held = { minute: portion.minute, size, left: size, minuteEndsAt: askedAt + portion.leftMs, timer };
      if (reader.limitPerMinute !== limitPerMinute) await this.end(clientId, reader);
    } catch (error) {
      log.debug({ event: 'edge.not_counted_ahead', error: (error as Error).message }, 'reads are counted one by one');
    }
  }

  private async end(clientId: string, reader: Reader): Promise<void> {
    const { held } = reader;
    if (!held) return void (await reader.givingBack);
    reader.held = null;
    clearTimeout(held.timer);
    reader.givingBack = this.giveBack(clientId, reader, held);
    await reader.givingBack;
  }

  /** If the database cannot be told, they count as used. */
  private async giveBack(clientId: string, reader: Reader, held: Held): Promise<void> {
    try {
      await this.store.giveBack(clientId, held.minute, held);
      if (held.left > 0) reader.gaveBackAt = performance.now();
    } catch (error) {
      log.debug({ event: 'edge.not_given_back', error: (error as Error).message }, 'they count as used');
    }
  }
}
