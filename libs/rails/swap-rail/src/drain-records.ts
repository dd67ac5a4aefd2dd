/**
 * Drains as we asked Circle for them. Each has a key of Circle's, kept with its address before the first call; and for each try of a payout
 * the record says which drain was begun last: if that was refused, or the money was taken back, no late process makes it.
 */
import type { RailClock, RailLeg, RailStore } from '#libs/rail-kit';
import { idempotencyKeyOf } from './idempotency-key';
import { isFresh, isInDoubt, isUnsent, type Sendings, sentOnceMore, turnedAway, UNSENT } from './sendings';

/** A try of a payout. */
export interface TryOf {
  railKey: string;
  number: number;
}

// Types and not interfaces: only those are records of the store.
type Drain = Sendings & {
  /** Circle's idempotency key. */
  key: string;
  destination: string;
  /** It will not be made. Read by the payee. */
  refused: string | null;
};
type Last = { legKey: string | null; at: string | null; closed: boolean };

/** Not any more; or not while another one may be under way that Circle does not list yet. */
export type NotToBeMade = 'no_longer' | 'another_in_doubt';

export class DrainRecords {
  constructor(
    private readonly store: RailStore,
    private readonly clock: RailClock,
  ) {}

  /** Which was begun last, and why it was refused if it was; null if none is known. */
  async last(of: TryOf): Promise<{ legKey: string; refused: string | null } | null> {
    const { legKey = null } = (await this.store.read<Last>(lastKey(of))) ?? {};
    if (legKey === null) return null;
    return { legKey, refused: (await this.store.read<Drain>(drainKey(legKey)))?.refused ?? null };
  }

  /** Circle's key for it and the number of this call under that key; or why it is not made, now or ever. */
  async sending(of: TryOf, leg: RailLeg): Promise<{ key: string; which: number } | NotToBeMade> {
    const kept = await this.kept(leg);
    if (kept.refused !== null || kept.destination !== leg.destination) return 'no_longer';
    const now = await this.store.update<Drain>(drainKey(leg.key), (each) =>
      each.refused === null ? sentOnceMore(each, this.clock.latest()) : each,
    );
    if (!now || now.refused !== null) return 'no_longer';
    // Counted before it begins: whoever closes the try, or begins another one, reads which one began, and then whether it was counted.
    const begun = await this.begin(of, leg.key);
    if (begun === 'begun') return { key: now.key, which: now.sent };
    await this.wasTurnedAway(leg, now.sent);
    return begun;
  }

  async wasTurnedAway({ key }: RailLeg, which: number): Promise<void> {
    await this.store.update<Drain>(drainKey(key), (each) => turnedAway(each, which, this.clock.now()));
  }

  /** From then on nobody makes it. false: one may be under way, and nothing is refused. */
  async refuse(of: TryOf, leg: RailLeg, reason: string): Promise<boolean> {
    await this.kept(leg);
    if ((await this.begin(of, leg.key)) === 'another_in_doubt') return false;
    const now = await this.store.update<Drain>(drainKey(leg.key), (each) =>
      isUnsent(each) ? { ...each, refused: each.refused ?? reason } : each,
    );
    return now !== null && now.refused !== null;
  }

  /** As Circle shows: it is not made once more. */
  async cameToNothing(key: string, reason: string): Promise<void> {
    await this.kept({ key });
    await this.store.update<Drain>(drainKey(key), (each) => ({ ...each, refused: each.refused ?? reason }));
  }

  /** The money was taken back: no drain begins any more. false: one may be under way. */
  async close(of: TryOf): Promise<boolean> {
    const last = await this.store.claim<Last>(lastKey(of), { legKey: null, at: null, closed: true });
    const drain = last.legKey === null ? null : await this.store.read<Drain>(drainKey(last.legKey));
    const mayClose = drain === null || isUnsent(drain) || !isFresh(last.at, this.clock.now());
    const now = await this.store.update<Last>(lastKey(of), (each) =>
      mayClose && each.legKey === last.legKey && each.at === last.at ? { ...each, closed: true } : each,
    );
    return now !== null && now.closed;
  }

  private kept({ key, destination = '' }: Pick<RailLeg, 'key' | 'destination'>): Promise<Drain> {
    const mine = { ...UNSENT, key: idempotencyKeyOf('drain', key), destination, refused: null };
    return this.store.claim<Drain>(drainKey(key), mine);
  }

  /**
   * Circle may not list yet what was sent under another key a moment ago: it would pay this drain as well, out of whatever else is in the
   * wallet. If two begin at once, only the first goes on.
   */
  private async begin(of: TryOf, legKey: string): Promise<'begun' | NotToBeMade> {
    const mine: Last = { legKey, at: this.clock.latest().toISOString(), closed: false };
    const last = await this.store.claim<Last>(lastKey(of), mine);
    if (!last.closed && (await this.isAnotherInDoubt(last, legKey))) return 'another_in_doubt';
    const isAsRead = (each: Last): boolean => each.legKey === last.legKey && each.at === last.at;
    const now = await this.store.update<Last>(lastKey(of), (each) => (!each.closed && isAsRead(each) ? mine : each));
    if (now?.closed) return 'no_longer';
    return (now ?? mine).legKey === legKey ? 'begun' : 'another_in_doubt';
  }

  private async isAnotherInDoubt({ legKey }: Last, mine: string): Promise<boolean> {
    if (legKey === null || legKey === mine) return false;
    const other = await this.store.read<Drain>(drainKey(legKey));
    return other !== null && other.refused === null && isInDoubt(other, this.clock.now());
  }
}

const drainKey = (legKey: string): string => `drain:${legKey}`;
const lastKey = ({ railKey, number }: TryOf): string => `drains:${railKey}:${number}`;
