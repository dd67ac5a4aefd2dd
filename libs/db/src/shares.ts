/**
 * For whom a process works, and how many of its connections that may take: whoever waits for what somebody holds keeps a
 * connection meanwhile, and one client can wait for as many rows as it likes. While there are few left, each has one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseTrouble } from './database-trouble';

/** Something that somebody asked for, and may no longer want. */
export interface Wish {
  /** null: nothing says so. Settles if they still do, and throws if they do not. */
  inDoubt(): Promise<void> | null;
}

interface Behalf {
  /** null: nobody's in particular. */
  of: string | null;
  /** One of several that they have: for what they do to one client. Left out: they have one for everything. */
  share?: string;
  wish: Wish | null;
  /** All that is done together was asked for by the same, who still has no share in it. */
  together?: string | null;
}

const behalf = new AsyncLocalStorage<Behalf>();

/** A request, or a job, of whoever is named in the course of it. */
export const onBehalf = <T>(of: string | null, work: () => T, wish: Wish | null = null): T =>
  behalf.run({ of, wish }, work);

/** It turned out who asks, and, of an operator, which client it is about. */
export function workFor(of: string, clientId?: string): void {
  const store = behalf.getStore();
  if (!store) return;
  store.of = of;
  if (clientId !== undefined) store.share = `${of} for ${clientId}`;
}

/** Of whoever this is done for: whether they still want it. */
export const wishInDoubt = (): Promise<void> | null => behalf.getStore()?.wish?.inDoubt() ?? null;

/**
 * Work of many that is done together: nobody waits in it for the share of whoever happened to begin it. `asker`: all of it is theirs.
 */
export const onBehalfOfAll = <T>(work: () => T, asker: string | null = null): T =>
  asker === null ? behalf.exit(work) : behalf.run({ of: null, wish: null, together: asker }, work);

/** Who is met by what happens here. null: nobody in particular. */
export function asker(): string | null {
  const store = behalf.getStore();
  return store?.of ?? store?.together ?? null;
}

/** The request or job that this is done for, to tell it from others. null: none of somebody's in particular. */
export function deed(): object | null {
  const store = behalf.getStore();
  return store && asker() !== null ? store : null;
}

export interface Room {
  most: () => number;
  /** Connections that nobody has now. */
  free: () => number;
}

/** So many are left to all others, as long as somebody has more than one. */
const LEFT_TO_OTHERS = 1 / 3;
/** As long as PostgreSQL would let it wait for a lock. */
const PATIENCE_MS = 10_000;
/** Of work that has a place which others wait for. */
const MOMENT_MS = 100;

interface Waiting {
  of: string;
  enter: () => void;
}

export class Shares {
  private readonly taken = new Map<string, number>();
  /** Whoever asks briefly stands before all that ask as usual: a moment is too short for their line. */
  private readonly waiting = { briefly: new Set<Waiting>(), asUsual: new Set<Waiting>() };
  /** Let in, and not at the pool yet. */
  private entering = 0;

  constructor(private readonly room: Room) {}

  async run<T>(work: () => Promise<T>, briefly = false): Promise<T> {
    const store = behalf.getStore();
    const of = store?.share ?? store?.of ?? null;
    if (of === null) return work();
    if (this.mayEnter(of)) this.take(of);
    else await this.place(of, briefly);
    try {
      return await work();
    } finally {
      const left = (this.taken.get(of) ?? 1) - 1;
      if (left > 0) this.taken.set(of, left);
      else this.taken.delete(of);
      this.look();
    }
  }

  /** Something may be free. */
  look(): void {
    for (const line of [this.waiting.briefly, this.waiting.asUsual])
      for (const one of line) {
        if (!this.mayEnter(one.of)) continue;
        line.delete(one);
        this.take(one.of);
        one.enter();
      }
  }

  private async place(of: string, briefly: boolean): Promise<void> {
    const line = briefly ? this.waiting.briefly : this.waiting.asUsual;
    await new Promise<void>((resolve, reject) => {
      const one = { of, enter: () => {} };
      const late = (): void => {
        line.delete(one);
        reject(new DatabaseTrouble('timeout', new Error('others of the same client wait for what somebody holds')));
      };
      const timer = setTimeout(late, briefly ? MOMENT_MS : PATIENCE_MS);
      one.enter = () => {
        clearTimeout(timer);
        this.entering += 1;
        resolve();
      };
      line.add(one);
    });
    this.entering -= 1;
  }

  private take(of: string): void {
    this.taken.set(of, (this.taken.get(of) ?? 0) + 1);
  }

  /** The first always. One more leaves a third of all to others, and so many as it makes: several at their limits take no more than one does. */
  private mayEnter(of: string): boolean {
    const taken = this.taken.get(of) ?? 0;
    if (taken === 0) return true;
    const left = Math.max(Math.ceil(this.room.most() * LEFT_TO_OTHERS), taken);
    return this.room.free() - this.entering > left;
  }
}
