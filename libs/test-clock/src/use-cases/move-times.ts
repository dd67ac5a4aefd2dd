/**
 * One transaction: all times of a client move, what they make due is woken, and every process forgets its keys. It waits a moment for each
 * row that has to be held, and as usual once it has them all.
 */
import { Injectable } from '@nestjs/common';
import { invalidField } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { Db } from '#libs/db';
import { type JobName, Jobs } from '#libs/jobs';
import { WatchReturns } from '#libs/reconciliation';
import { ClockStore } from '../db/clock.store';

/** How many jobs came due. */
export interface CameDue {
  railQuestions: number;
  retries: number;
  webhooks: number;
  mails: number;
  others: number;
}

const COUNTED_AS: Record<JobName, keyof CameDue> = {
  'payout.drive': 'railQuestions',
  'payout.look': 'railQuestions',
  'payout.look_for_reader': 'railQuestions',
  'payout.second_look': 'railQuestions',
  'payout.retry': 'retries',
  'events.announce': 'webhooks',
  'event.retry': 'webhooks',
  'mail.send': 'mails',
  'mail.about_payout': 'mails',
  'payouts.funded': 'others',
  'payouts.resume': 'others',
  'payees.resolve': 'others',
  'payees.read_account': 'others',
  'owed.release': 'others',
  'owed.funded': 'others',
};

const TOO_FAR = 'would make the client older than 1970: go on with a new one';

@Injectable()
export class MoveTimes {
  constructor(
    private readonly db: Db,
    private readonly store: ClockStore,
    private readonly registry: ClientRegistry,
    private readonly jobs: Jobs,
    private readonly returns: WatchReturns,
  ) {}

  run(clientId: string, seconds: number): Promise<CameDue> {
    return this.db.inBriefTransaction(async () => {
      await this.store.hold(clientId);
      await this.db.waitsAsUsual();
      if (!(await this.store.canPass(clientId, seconds))) throw invalidField('advanceSeconds', TOO_FAR);
      const due = await this.store.move(clientId, seconds);
      this.registry.changed(clientId);
      this.jobs.cameDue(due.map(({ name }) => name));
      const sum: CameDue = { railQuestions: 0, retries: 0, webhooks: 0, mails: 0, others: 0 };
      for (const { name, count } of due) sum[COUNTED_AS[name]] += count;
      sum.railQuestions += await this.returns.passed(clientId, seconds);
      return sum;
    });
  }
}
