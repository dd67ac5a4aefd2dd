/**
 * Drains as we asked Circle for them. Each has a key of Circle's, kept with its address before the first call, and for each try of a
 * payout stands which one was begun last: after that was refused, or the money was taken back, no late process makes it.
 */
import type { Clock, RailLeg, RailStore } from '#libs/rail-kit';
import { idempotencyKeyOf } from './idempotency-key';
import { isFresh, isUnsent, type Sendings, sentOnceMore, turnedAway, UNSENT } from './sendings';

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

export class DrainRecords {
  constructor(
    private readonly store: RailStore,
    private readonly clock: Clock,
  ) {}

  /** Which was begun last, and why it was refused if it was; null if none is known. */
  async last(of: TryOf): Promise<{ legKey: string; refused: string | null } | null> {
    const { legKey = null } = (await this.store.read<Last>(lastKey(of))) ?? {};
    if (legKey === null) return null;
    return { legKey, refused: (await this.store.read<Drain>(drainKey(legKey)))?.refused ?? null };
  }

  /** Circle's key of it. null: it is not to be made, or was begun with another address. */
  async sending(of: TryOf, leg: RailLeg): Promise<string | null> {
    const kept = await this.kept(leg);
    if (kept.refused !== null || kept.destination !== leg.destination) return null;
    const now = await this.store.update<Drain>(drainKey(leg.key), (each) =>
      each.refused === null ? sentOnceMore(each, this.clock.now()) : each,
    );
    if (!now || now.refused !== null) return null;
    // Counted before it begins: whoever closes the try reads which one began, and then whether it was counted.
    if (!(await this.begin(of, leg.key)).closed) return now.key;
    await this.wasTurnedAway(leg);
    return null;
  }

  async wasTurnedAway({ key }: RailLeg): Promise<void> {
    await this.store.update<Drain>(drainKey(key), (each) => turnedAway(each, this.clock.now()));
  }

  /** From then on nobody makes it. false: one may be under way, and nothing is refused. */
  async refuse(of: TryOf, leg: RailLeg, reason: string): Promise<boolean> {
    await this.kept(leg);
    await this.begin(of, leg.key);
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

  private async begin(of: TryOf, legKey: string): Promise<Last> {
    const at = this.clock.now().toISOString();
    const mine: Last = { legKey, at, closed: false };
    await this.store.claim<Last>(lastKey(of), mine);
    return (await this.store.update<Last>(lastKey(of), (each) => (each.closed ? each : mine))) ?? mine;
  }
}

const drainKey = (legKey: string): string => `drain:${legKey}`;
const lastKey = ({ railKey, number }: TryOf): string => `drains:${railKey}:${number}`;
