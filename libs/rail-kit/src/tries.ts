/**
 * The idempotency key of a call, for providers that repeat their answer to a key they know, even a refusal. After a refusal the call is
 * tried again under another key; and only then, or it would be done twice.
 */
import type { RailClock } from './define-rail';
import type { RailStore } from './rail-store';

// A type and not an interface: only that is a record of the store.
export type Try = {
  number: number;
  /** The provider said no to it, or what it had done was undone. */
  over: boolean;
  /** How often it was sent, counted before each time; and how often the provider did not even look at it. */
  sent: number;
  turnedAway: number;
  /** When it was sent last. Older records do not say: it is long ago. */
  sentAt?: string;
  /** The provider knows its key with other words, and nobody here knows what came of those. */
  otherWords?: true;
};

/** A call whose answer was lost may be carried out late, and be listed later. By then the provider lists what came of it. */
export const IN_DOUBT_FOR_MS = 600_000;

const begun = (number: number): Try => ({ number, over: false, sent: 0, turnedAway: 0 });

export class Tries {
  constructor(
    private readonly store: RailStore,
    private readonly clock: RailClock,
  ) {}

  /**
   * The try under which this call is made now: the one that it has, or the next one if that is over, or was sent for the last time ten minutes ago
   * and is known with other words. Whoever may meet those looks at what is listed in the same go: by then it shows what came of them.
   */
  async current(call: string): Promise<Try> {
    const first = await this.store.claim<Try>(recordOf(call), begun(1));
    if (!this.isUsedUp(first)) return first;
    const next = await this.store.update<Try>(recordOf(call), (now) =>
      this.isUsedUp(now) ? begun(now.number + 1) : now,
    );
    return next ?? first;
  }

  /** For a look-up, which begins none. null: nothing was ever sent under it, as far as our own records go. */
  read(call: string): Promise<Try | null> {
    return this.store.read<Try>(recordOf(call));
  }

  /** Counted before the call: whoever dies in the middle of it leaves a doubt behind. */
  async sending(call: string, { number }: Try): Promise<void> {
    const sentAt = this.clock.latest().toISOString();
    await this.change(call, number, (now) => ({ ...now, sent: now.sent + 1, sentAt }));
  }

  /** Of this try or, if our own records are older than it, of those before as well. */
  async isOver(call: string, number: number): Promise<void> {
    await this.store.update<Try>(recordOf(call), (now) =>
      now.number <= number ? { ...(now.number === number ? now : begun(number)), over: true } : now,
    );
  }

  /** The provider did not look at it, this time. Whether that holds for every time. */
  async wasTurnedAway(call: string, { number }: Try): Promise<boolean> {
    const now = await this.change(call, number, (each) => ({ ...each, turnedAway: each.turnedAway + 1 }));
    return now !== null && now.number === number && now.sent === now.turnedAway;
  }

  /** The provider turned it away, because it knows the key with other words: those of a database of before, or of another version. */
  async hasOtherWords(call: string, { number }: Try): Promise<void> {
    await this.change(call, number, (now) => ({ ...now, otherWords: true }));
  }

  /** It is not sent meanwhile: the provider may have forgotten the key by then, and carry out these words beside the others. */
  waitsForOtherWords(attempt: Try): boolean {
    return attempt.otherWords === true && this.isInDoubt(attempt);
  }

  /** A moment ago, and nobody knows what came of it: what is asked about a call at rest has no certain answer yet, whatever is listed. */
  isInDoubt(attempt: Try | null): boolean {
    const { sentAt } = attempt ?? {};
    if (!mayBeOut(attempt) || sentAt === undefined) return false;
    return this.clock.now().getTime() - Date.parse(sentAt) < IN_DOUBT_FOR_MS;
  }

  private isUsedUp(attempt: Try): boolean {
    return attempt.over || (attempt.otherWords === true && !this.isInDoubt(attempt));
  }

  /** Of a try that is still the current one. */
  private change(call: string, number: number, change: (now: Try) => Try): Promise<Try | null> {
    return this.store.update<Try>(recordOf(call), (now) => (now.number === number ? change(now) : now));
  }
}

/** It was sent, and nobody knows that nothing came of it. */
export const mayBeOut = (attempt: Try | null): boolean =>
  attempt !== null && !attempt.over && attempt.sent > attempt.turnedAway;

/** The first one is the code itself; those that follow say which they are. */
export const keyOfTry = (call: string, { number }: Pick<Try, 'number'>): string =>
  number === 1 ? call : `${call}:${number}`;

const recordOf = (call: string): string => `try:${call}`;
