/**
 * Which of PayPal's batches a payout is under. PayPal uses up a `sender_batch_id` even if it denies the batch, so each try has its own;
 * and the next try begins only after PayPal itself said that nothing came of the one before.
 */
import { type Clock, MOST_EARLIER_NAMES, type RailStore } from '#libs/rail-kit';

/** PayPal knows a batch again for thirty days. A day less: its clock is not ours. */
export const HONOURED_SECONDS = 29 * 86_400;

/** No call goes on for so long. */
const OVER_AFTER_MS = 60_000;

// A type and not an interface: only that is a record of the store.
export type Try = {
  number: number;
  /** Written before the first call of this try that something may have come of. */
  begunAt: string;
  /** null: PayPal was asked, and its answer is not known. */
  batchId: string | null;
  /** It came to nothing, in PayPal's own words. */
  refused: boolean;
  /** How often its batch was sent, counted before each time; and how often PayPal said that it did nothing. */
  sent: number;
  turnedAway: number;
  /** The batches of the tries before, as JSON, the latest last: PayPal may pay one after all. Older records do not have them. */
  earlier?: string;
  /** A batch that a notice named: of this try, or of one that no record knows. */
  told?: string;
};

/** A batch that came to nothing, as PayPal said. */
export interface EndedBatch {
  number: number;
  batchId: string;
}

export class Tries {
  constructor(
    private readonly store: RailStore,
    private readonly clock: Clock,
  ) {}

  /** null: this payout was never sent. */
  current(railKey: string): Promise<Try | null> {
    return this.store.read<Try>(keyOf(railKey));
  }

  /** The try under which a payout is sent now: the one that it has, or the next one if that was refused. */
  async toSend(railKey: string): Promise<Try> {
    const first = await this.store.claim<Try>(keyOf(railKey), this.begun(1));
    if (!first.refused) return first;
    const next = await this.store.update<Try>(keyOf(railKey), (current) =>
      current.refused ? { ...this.begun(current.number + 1), earlier: JSON.stringify(endedOf(current)) } : current,
    );
    return next ?? first;
  }

  /**
   * The one after this try, begun and counted in one step, as it was before it was counted. null: another process sent this try since it was
   * read, or knows its batch. It may have reported that nothing came of it, and the payout may be at rest by now.
   */
  async following(railKey: string, attempt: Try, batchId: string): Promise<Try | null> {
    const { number, sent } = attempt;
    const next = {
      ...this.begun(number + 1),
      earlier: JSON.stringify(endedOf({ ...attempt, batchId, refused: true })),
    };
    let isOurs = false;
    await this.store.update<Try>(keyOf(railKey), (now) => {
      isOurs = now.number === number && now.batchId === null && !now.refused && now.sent === sent + 1;
      return isOurs ? { ...next, sent: 1 } : now;
    });
    return isOurs ? next : null;
  }

  /** Notes PayPal's answer to a try. false: the try is not the current one any more. */
  async note(railKey: string, { number }: Try, said: Partial<Pick<Try, 'batchId' | 'refused'>>): Promise<boolean> {
    const now = await this.store.update<Try>(keyOf(railKey), (current) =>
      current.number === number ? { ...current, ...said } : current,
    );
    return now?.number === number;
  }

  /** PayPal told by itself of a batch of this payout: whose try it is, PayPal says when it is asked about it. */
  async told(railKey: string, batchId: string): Promise<void> {
    await this.store.update<Try>(keyOf(railKey), (current) => {
      const isNews = current.batchId === null && !earlierOf(current).some((ended) => ended.batchId === batchId);
      return isNews ? { ...current, told: batchId } : current;
    });
  }

  /** Counted before the call: whoever dies in the middle of it leaves a doubt behind. */
  async sending(railKey: string, attempt: Try): Promise<void> {
    await this.counted(railKey, attempt, () => true);
  }

  /**
   * The same for a question, which sends only what is in doubt at that very moment. false: nothing is to be sent, for the doubt was over
   * before this was counted, and its payout may be at rest by now, and its rows on another one.
   */
  asking(railKey: string, attempt: Try): Promise<boolean> {
    return this.counted(railKey, attempt, (current) => current.batchId === null && !isUnsent(current));
  }

  /**
   * PayPal did nothing, this time. Returns whether that holds for every time: a batch whose answer was lost may be there, and a repeat be
   * turned away all the same, for lack of funds or because our credentials no longer count.
   */
  async nothingCame(railKey: string, attempt: Try): Promise<boolean> {
    const now = await this.store.update<Try>(keyOf(railKey), (current) =>
      current.number === attempt.number ? { ...current, turnedAway: current.turnedAway + 1 } : current,
    );
    return now !== null && now.number === attempt.number && isUnsent(now);
  }

  /** Of a name under which nothing is there PayPal has nothing to forget, however old it is. */
  isHonoured(attempt: Try): boolean {
    const age = this.clock.now().getTime() - Date.parse(attempt.begunAt);
    return isUnsent(attempt) || age < HONOURED_SECONDS * 1000;
  }

  /** Before the call that is made now: no other that brought its batch to PayPal can still be under way. */
  isOfBefore(attempt: Try): boolean {
    return isUnsent(attempt) || this.clock.now().getTime() - Date.parse(attempt.begunAt) > OVER_AFTER_MS;
  }

  private async counted(railKey: string, { number }: Try, isToSend: (current: Try) => boolean): Promise<boolean> {
    let isCounted = false;
    await this.store.update<Try>(keyOf(railKey), (current) => {
      isCounted = current.number === number && isToSend(current);
      return isCounted ? { ...current, begunAt: this.since(current), sent: current.sent + 1 } : current;
    });
    return isCounted;
  }

  private since(current: Try): string {
    return isUnsent(current) ? this.clock.now().toISOString() : current.begunAt;
  }

  private begun(number: number): Try {
    return { number, begunAt: this.clock.now().toISOString(), batchId: null, refused: false, sent: 0, turnedAway: 0 };
  }
}

export const earlierOf = ({ earlier = '[]' }: Try): EndedBatch[] => JSON.parse(earlier) as EndedBatch[];

/** All batches of a payout that came to nothing so far. */
export function endedOf(attempt: Try): EndedBatch[] {
  const { number, batchId, refused } = attempt;
  const earlier = earlierOf(attempt);
  return refused && batchId !== null ? [...earlier, { number, batchId }].slice(-MOST_EARLIER_NAMES) : earlier;
}

/** PayPal said of every time that it did nothing. */
export const isUnsent = ({ batchId, sent, turnedAway }: Try): boolean => batchId === null && sent === turnedAway;

/** Its batch may be there. */
export const isInDoubt = (attempt: Try): boolean => attempt.batchId === null && !isUnsent(attempt);

/** The first one is the code itself; those that follow say which they are. */
export const senderBatchId = (railKey: string, { number }: Pick<Try, 'number'>): string =>
  number === 1 ? railKey : `${railKey}:${number}`;

const keyOf = (railKey: string): string => `payout:${railKey}`;
