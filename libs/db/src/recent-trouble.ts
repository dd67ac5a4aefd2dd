/**
 * Remembers for a few seconds what went wrong with the database here, so that readiness speaks of it: what a statement met
 * lasts until the same statement succeeds, until a look at the database finds all well, or for five seconds.
 */
import type { DatabaseTrouble, TroubleKind } from './database-trouble';

const REMEMBERED_MS = 5_000;
/** A lock that was held shows only where it is wanted: no look from outside finds it, or finds it gone. */
const SEEN_BY_A_LOOK: TroubleKind[] = ['away', 'refuses', 'busy', 'read_only', 'full', 'outdated'];

interface Noted {
  kind: TroubleKind;
  at: number;
}

export class RecentTrouble {
  private readonly noted = new Map<string, Noted>();

  constructor(private readonly rememberedMs = REMEMBERED_MS) {}

  /** `what` failed: a statement, or getting a connection. Returns the trouble, to be thrown. */
  note<T extends DatabaseTrouble>(what: string, trouble: T): T {
    this.noted.set(what, { kind: trouble.kind, at: performance.now() });
    return trouble;
  }

  /** The same went well. Asked for every statement, so it costs nothing while all is well. */
  over(what: string): void {
    if (this.noted.size > 0) this.noted.delete(what);
  }

  /** Somebody looked from that moment on, and found nothing wrong. */
  foundWell(since: number): void {
    for (const [what, { kind, at }] of this.noted)
      if (at < since && SEEN_BY_A_LOOK.includes(kind)) this.noted.delete(what);
  }

  /** What went wrong last, while it counts. */
  latest(): TroubleKind | null {
    const from = performance.now() - this.rememberedMs;
    let latest: Noted | null = null;
    for (const [what, noted] of this.noted) {
      if (noted.at < from) this.noted.delete(what);
      else if (!latest || noted.at > latest.at) latest = noted;
    }
    return latest?.kind ?? null;
  }

  /** Whether a look at the database could tell more. */
  isWorthALook(): boolean {
    return this.latest() !== null && [...this.noted.values()].some(({ kind }) => SEEN_BY_A_LOOK.includes(kind));
  }
}
