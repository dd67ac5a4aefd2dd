/**
 * Remembers for a few seconds what went wrong with the database here, so that readiness speaks of it: what a statement met
 * lasts until the same statement succeeds, or for five seconds; what a look at the database would meet too, until one did not.
 */
import type { DatabaseTrouble, TroubleKind } from './database-trouble';

const REMEMBERED_MS = 5_000;
/** Somebody's row that is held, or somebody's slow statement, is met by two or three. The database's own trouble is met by all. */
const MANY_STATEMENTS = 3;
/** A new connection tells that these are over. Of a row that is held, a pool without a place, or a file that cannot grow it knows nothing. */
const SEEN_BY_A_LOOK: TroubleKind[] = ['away', 'read_only', 'outdated'];

interface Noted {
  kind: TroubleKind;
  at: number;
}

export class RecentTrouble {
  private readonly noted = new Map<string, Noted>();

  constructor(private readonly rememberedMs = REMEMBERED_MS) {}

  /** `what` failed: a statement, or getting a connection. Returns the trouble, to be thrown. Of rows that went the database is well. */
  note<T extends DatabaseTrouble>(what: string, trouble: T): T {
    if (trouble.kind !== 'gone') this.noted.set(what, { kind: trouble.kind, at: performance.now() });
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

  /** The last trouble, while it counts. One statement that took too long says nothing about the database. */
  latest(): TroubleKind | null {
    const recent = this.recent();
    const late = recent.filter(({ kind }) => kind === 'timeout').length;
    const counting = recent.filter(({ kind }) => kind !== 'timeout' || late >= MANY_STATEMENTS);
    return counting.reduce<Noted | null>((last, one) => (last && last.at > one.at ? last : one), null)?.kind ?? null;
  }

  /** Whether a look at the database could tell more. */
  isWorthALook(): boolean {
    return this.recent().length > 0;
  }

  private recent(): Noted[] {
    const from = performance.now() - this.rememberedMs;
    for (const [what, { at }] of this.noted) if (at < from) this.noted.delete(what);
    return [...this.noted.values()];
  }
}
