/**
 * Finds who is owed money that should have left by itself. Each gets a job of its own, so that one who cannot be paid keeps
 * nobody else.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { Jobs, type PassPlace } from '#libs/jobs';
import { DisbursementReads, type WaitingPayee } from '#libs/owed';
import { Rails } from '#libs/rail-registry';

/** The most that one look goes through; the next one continues from there. */
const PAGES_AT_ONCE = 100;
/** Of one client, until others have their turn. */
const PAGES_IN_A_TURN = 20;

@Injectable()
export class WakeWaiting {
  private place: string | null = null;

  constructor(
    private readonly rails: Rails,
    private readonly reads: DisbursementReads,
    private readonly jobs: Jobs,
    private readonly db: Db,
  ) {}

  /** Payees who are made meanwhile have jobs of their own. */
  async begin(): Promise<PassPlace> {
    return { begun: await this.db.moment(), after: null };
  }

  /**
   * A wallet got funds, or the terms of its client changed: what was credited before, and was not covered or had to wait, goes on. A portion
   * of the payees at a time; returns where it left off, and null once it is through.
   */
  async ofClient(clientId: string, from: PassPlace, signal: AbortSignal): Promise<PassPlace | null> {
    const rails = this.releasingOnCredit();
    if (rails.length === 0) return null;
    let place = from;
    for (let pages = 0; pages < PAGES_IN_A_TURN && !signal.aborted; pages += 1) {
      const page = await this.reads.waitingOfClient(clientId, rails, place.begun, place.after);
      const last = page[page.length - 1];
      if (!last) return null;
      await this.wake(page);
      place = { ...place, after: last.payeeId };
    }
    return place;
  }

  /** Nobody is going to release it, for whatever reason. Returns how many payees got a job again. */
  async forgotten(signal?: AbortSignal): Promise<number> {
    const rails = this.releasingOnCredit();
    if (rails.length === 0) return 0;
    let count = 0;
    for (let pages = 0; pages < PAGES_AT_ONCE && !signal?.aborted; pages += 1) {
      const page = await this.reads.owing(rails, this.place);
      const forgotten = page.filter((payee) => payee.forgotten);
      await this.wake(forgotten);
      count += forgotten.length;
      this.place = page[page.length - 1]?.payeeId ?? null;
      if (this.place === null) break;
    }
    return count;
  }

  private wake(waiting: WaitingPayee[]): Promise<void> {
    return this.jobs.add(
      waiting.map(({ payeeId, clientId }) => ({ name: 'owed.release', entityId: payeeId, lane: clientId })),
    );
  }

  private releasingOnCredit(): string[] {
    return this.rails
      .all()
      .flatMap(({ definition: { name }, traits }) => (traits.releasesOwed === 'on_credit' ? [name] : []));
  }
}
