/**
 * Remembers for a few seconds what went wrong with the database here, so that readiness speaks of it: what a statement met
 * lasts until the same statement succeeds, or for five seconds; what a look at the database would meet too, until one did not.
 */
import type { DatabaseTrouble, TroubleKind } from './database-trouble';

const REMEMBERED_MS = 5_000;
/**
 * Somebody's row that is held, or somebody's slow statement, is met by two or three, or by one client as often as it asks. The database's
 * own trouble is met by all.
 */
const MANY = 3;
/** A new connection tells that these are over. Of a row that is held, a pool without a place, or a file that cannot grow it knows nothing. */
const SEEN_BY_A_LOOK: TroubleKind[] = ['away', 'read_only', 'outdated'];

interface Noted {
  kind: TroubleKind;
  at: number;
}

/** null: nobody in particular. */
type Asker = string | null;

export class RecentTrouble {
  private readonly noted = new Map<string, Map<Asker, Noted>>();

  constructor(private readonly rememberedMs = REMEMBERED_MS) {}

  /** `what` failed: a statement, or getting a connection. Returns the trouble, to be thrown. Of rows that went the database is well. */
  note<T extends DatabaseTrouble>(what: string, trouble: T, asker: Asker = null): T {
    if (trouble.kind === 'gone') return trouble;
    const met = this.noted.get(what) ?? new Map<Asker, Noted>();
    this.noted.set(what, met.set(asker, { kind: trouble.kind, at: performance.now() }));
    return trouble;
  }

  /** The same went well. Asked for every statement, so it costs nothing while all is well. */
  over(what: string): void {
    if (this.noted.size > 0) this.noted.delete(what);
  }

  /** Somebody looked from that moment on, and found nothing wrong. */
  foundWell(since: number): void {
    this.forget(({ kind, at }) => at < since && SEEN_BY_A_LOOK.includes(kind));
  }

  /** The last trouble, while it counts. What took too long for one asker, or in one statement, says nothing about the database. */
  latest(): TroubleKind | null {
    const recent = this.recent();
    const late = recent.filter(({ kind }) => kind === 'timeout');
    const statements = new Set(late.map(({ what }) => what));
    // Work that is nobody's has each statement as an asker of its own.
    const askers = new Set(late.map(({ what, asker }) => asker ?? what));
    const isLate = Math.min(statements.size, askers.size) >= MANY;
    const counting = recent.filter(({ kind }) => kind !== 'timeout' || isLate);
    return counting.reduce<Noted | null>((last, one) => (last && last.at > one.at ? last : one), null)?.kind ?? null;
  }

  /** Whether a look at the database could tell more. */
  isWorthALook(): boolean {
    return this.recent().length > 0;
  }

  private recent(): (Noted & { what: string; asker: Asker })[] {
    const from = performance.now() - this.rememberedMs;
    this.forget(({ at }) => at < from);
    return [...this.noted].flatMap(([what, met]) => [...met].map(([asker, noted]) => ({ ...noted, what, asker })));
  }

  private forget(isOver: (noted: Noted) => boolean): void {
    for (const [what, met] of this.noted) {
      for (const [asker, noted] of met) if (isOver(noted)) met.delete(asker);
      if (met.size === 0) this.noted.delete(what);
    }
  }
}
