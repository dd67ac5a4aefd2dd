/**
 * The first leg of a payout as we asked Circle for it: under which key, and how often. What Circle shows decides; this says what it may not
 * show yet. A try that came to nothing is followed by another key, and never before.
 */
import type { RailClock, RailStore } from '#libs/rail-kit';
import { idempotencyKeyOf } from './idempotency-key';
import { isUnsent, type Sendings, sentOnceMore, turnedAway, UNSENT } from './sendings';

// A type and not an interface: only that is a record of the store.
export type Try = Sendings & {
  number: number;
  /** Circle's idempotency key. */
  key: string;
  /** As Circle called what it made. */
  transactionId: string | null;
  /** Nothing of it is out, and nothing will be. */
  over: boolean;
};

const begun = (railKey: string, number: number): Try => ({
  ...{ ...UNSENT, number, transactionId: null, over: false },
  key: idempotencyKeyOf('pay', railKey, number),
});

export class Tries {
  constructor(
    private readonly store: RailStore,
    private readonly clock: RailClock,
  ) {}

  read(railKey: string): Promise<Try | null> {
    return this.store.read<Try>(keyOf(railKey));
  }

  /** The try under which a payout is sent now: the one that it has, or the next one if that is over. */
  async current(railKey: string): Promise<Try> {
    const first = await this.store.claim<Try>(keyOf(railKey), begun(railKey, 1));
    if (!first.over) return first;
    const next = begun(railKey, first.number + 1);
    return (await this.store.update<Try>(keyOf(railKey), (now) => (now.key === first.key ? next : now))) ?? first;
  }

  /** The number of this call under its key, from one; null: it must not be made any more. */
  async sending(railKey: string, { key }: Try): Promise<number | null> {
    const now = await this.change(railKey, key, (each) => (each.over ? each : sentOnceMore(each, this.clock.latest())));
    return now !== null && now.key === key && !now.over ? now.sent : null;
  }

  async made(railKey: string, { key }: Try, transactionId: string): Promise<void> {
    await this.change(railKey, key, (each) => ({ ...each, transactionId }));
  }

  /** Circle did nothing, this time. Whether that holds for every time. */
  async wasTurnedAway(railKey: string, { key }: Try, which: number): Promise<boolean> {
    const now = await this.change(railKey, key, (each) => turnedAway(each, which, this.clock.now()));
    return now !== null && now.key === key && isNeverSent(now);
  }

  /**
   * Circle took nothing of it, and never will: unless another process sends it meanwhile, because a key that was turned away is not used up.
   * false: one did.
   */
  async endsUnsent(railKey: string, { key }: Try): Promise<boolean> {
    const now = await this.change(railKey, key, (each) => (isNeverSent(each) ? { ...each, over: true } : each));
    return now !== null && now.key === key && now.over;
  }

  /** Of this try or, if our own records are older than it, of those before as well. */
  async isOver(railKey: string, number: number): Promise<void> {
    await this.store.claim<Try>(keyOf(railKey), { ...begun(railKey, number), over: true });
    const anew = begun(railKey, number);
    await this.store.update<Try>(keyOf(railKey), (now) =>
      now.number <= number ? { ...(now.number === number ? now : anew), over: true } : now,
    );
  }

  private change(railKey: string, key: string, change: (now: Try) => Try): Promise<Try | null> {
    return this.store.update<Try>(keyOf(railKey), (now) => (now.key === key ? change(now) : now));
  }
}

const isNeverSent = (attempt: Try): boolean => attempt.transactionId === null && isUnsent(attempt);

const keyOf = (railKey: string): string => `pay:${railKey}`;
