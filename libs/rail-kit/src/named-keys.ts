/**
 * Keys that a provider signs its notices with, each known by a name that stands in the notice. Somebody who makes names up must neither
 * make us ask the provider without end nor keep its own notices out: so a name without a key rests by itself. Nor can somebody who knows
 * the names of real keys: only a key that signed a notice is kept, and only another that did takes its place. Names that signed are known
 * to every process and after each start: these are asked for whatever strangers asked for by then.
 */
import type { RailStore } from './rail-store';

/** There are a few at a time. */
const MOST_KEPT = 20;
/** Of names that are asked for, or were within the last minute: of more only those that signed are asked for, each once a minute. */
const MOST_ASKED = 20;
const MINUTE_MS = 60_000;
const RECORD = 'notice_keys';

/** A type and not an interface: only that is a record of the store. In which order they first signed. */
type Signers = Record<string, number>;

interface Asked<Key> {
  /** null: it was not to be had. */
  key: Key | null;
  /** By this process's ticks. */
  until: number;
}

export class NamedKeys<Key> {
  private readonly kept = new Map<string, Key>();
  private readonly asking = new Map<string, Promise<Key | null>>();
  /** Within the last minute, whatever came of it. */
  private readonly lately = new Map<string, Asked<Key>>();
  /** As they were recorded when somebody last looked. */
  private signers: { names: Promise<Signers | null>; until: number } | null = null;

  /** `ask` answers null if the provider has no such key, and throws if nobody can tell. */
  constructor(
    private readonly ask: (name: string, signal?: AbortSignal) => Promise<Key | null>,
    private readonly store: Pick<RailStore, 'claim' | 'read' | 'update'>,
    private readonly ticks: () => number = () => performance.now(),
  ) {}

  /** By the key of that name; give each key one name. Throws if it cannot be had now: the provider tells the notice again. */
  async signed(name: string, isSignedBy: (key: Key) => boolean, signal?: AbortSignal): Promise<boolean> {
    const key = await this.find(name, signal);
    if (key === null || !isSignedBy(key)) return false;
    await this.keep(name, key);
    return true;
  }

  /** null: the provider has no such key. */
  private async find(name: string, signal?: AbortSignal): Promise<Key | null> {
    const known = this.kept.get(name) ?? this.had(name);
    if (known !== undefined) return known;
    const hasPlace = this.lately.size + this.asking.size < MOST_ASKED || (await this.signedBefore(name));
    const underWay = this.asking.get(name);
    if (underWay) return underWay;
    if (this.lately.has(name) || !hasPlace) throw new Error('no such key could be had a moment ago');
    const asked = this.asked(name, signal).finally(() => this.asking.delete(name));
    this.asking.set(name, asked);
    return asked;
  }

  /** It has signed nothing so far. */
  private had(name: string): Key | undefined {
    const now = this.ticks();
    for (const [each, { until }] of this.lately) if (until <= now) this.lately.delete(each);
    return this.lately.get(name)?.key ?? undefined;
  }

  private async asked(name: string, signal?: AbortSignal): Promise<Key | null> {
    let key: Key | null = null;
    try {
      key = await this.ask(name, signal);
      return key;
    } finally {
      this.lately.set(name, { key, until: this.ticks() + MINUTE_MS });
    }
  }

  /** In this process, in another, or before a start. Whoever makes names up has the record read once a minute at most. */
  private async signedBefore(name: string): Promise<boolean> {
    const now = this.ticks();
    if (!this.signers || this.signers.until <= now)
      this.signers = { names: this.store.read<Signers>(RECORD), until: now + MINUTE_MS };
    const { signers } = this;
    try {
      return Object.hasOwn((await signers.names) ?? {}, name);
    } catch (error) {
      if (this.signers === signers) this.signers = null;
      throw error;
    }
  }

  /** It is recorded before it counts as kept: what fails is done again with the next notice. */
  private async keep(name: string, key: Key): Promise<void> {
    if (this.kept.has(name)) return;
    if (!(await this.signedBefore(name))) {
      await this.store.claim<Signers>(RECORD, {});
      await this.store.update<Signers>(RECORD, (signers) => withName(signers, name));
    }
    const [oldest] = this.kept.keys();
    if (!this.kept.has(name) && this.kept.size >= MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(name, key);
    this.lately.delete(name);
  }
}

/** In place of the one that first signed longest ago, if they are too many. */
function withName(signers: Signers, name: string): Signers {
  if (Object.hasOwn(signers, name)) return signers;
  const newest = Object.entries(signers).sort(([, one], [, other]) => other - one);
  return { ...Object.fromEntries(newest.slice(0, MOST_KEPT - 1)), [name]: (newest[0]?.[1] ?? 0) + 1 };
}
