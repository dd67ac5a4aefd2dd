/**
 * Finds who is owed money that should have left by itself. Each gets a job of its own, so that one who cannot be paid keeps
 * nobody else.
 */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import { Rails } from '#libs/rail-registry';
import { DisbursementReads, type WaitingPayee } from '../db/disbursement.reads';

@Injectable()
export class WakeWaiting {
  constructor(
    private readonly rails: Rails,
    private readonly reads: DisbursementReads,
    private readonly jobs: Jobs,
  ) {}

  /** A wallet got funds, or a client is active again: what was credited before, and not covered, goes on. */
  async ofClient(clientId: string): Promise<void> {
    const rails = this.releasingOnCredit();
    for (let after: string | null = null; rails.length > 0;) {
      const page = await this.reads.waitingOfClient(clientId, rails, after);
      const last = page[page.length - 1];
      if (!last) return;
      await this.wake(page);
      after = last.payeeId;
    }
  }

  private wake(waiting: WaitingPayee[]): Promise<void> {
    return this.jobs.add(
      waiting.map(({ payeeId, clientId }) => ({ name: 'owed.release', entityId: payeeId, lane: clientId })),
    );
  }

  private releasingOnCredit(): string[] {
    return this.rails
      .all()
      .flatMap(({ definition: { name, traits } }) => (traits.releasesOwed === 'on_credit' ? [name] : []));
  }
}
