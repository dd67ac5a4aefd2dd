/** The port the features use: "this needs attention", said in the transaction that makes it true. */
import { Injectable } from '@nestjs/common';
import { Db, Signals } from '#libs/db';
import { type HeldJob, JOB_NAMES, type JobName } from './job-names';
import { JobStore, type NewJob } from './job-store';
import { NEWS, type NewsName } from './news';

export const WORK_SIGNAL = 'gw_work';

@Injectable()
export class Jobs {
  private wakeHere: ((names: JobName[]) => void) | null = null;

  constructor(
    private readonly store: JobStore,
    private readonly db: Db,
    private readonly signals: Signals,
  ) {}

  async add(jobs: NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.store.add(jobs);
    const names = [...new Set(jobs.filter(({ delaySeconds }) => !delaySeconds).map(({ name }) => name))];
    if (names.length > 0) this.db.afterCommit(() => this.wake(names));
  }

  /** This happened to these: whoever cares has a job to do. */
  tell(news: NewsName, about: Pick<NewJob, 'entityId' | 'lane'>[]): Promise<void> {
    return this.add(about.flatMap((subject) => NEWS[news].map((name) => ({ ...subject, name }))));
  }

  /** Jobs that were there already came due, and nobody added them. */
  cameDue(names: JobName[]): void {
    this.db.afterCommit(() => this.wake(names));
  }

  /** Takes back what turned out not to be needed. A job that is under way finds nothing to do. */
  remove(name: JobName, entityIds: string[]): Promise<void> {
    return this.store.remove(name, entityIds);
  }

  /** The leases of these jobs that nobody took over meanwhile. */
  stillHeld(jobs: HeldJob[]): Promise<Set<string>> {
    return this.store.stillHeld(jobs);
  }

  /** A process that works the queues needs no message to itself. */
  onWork(wake: (names: JobName[]) => void): void {
    this.wakeHere = wake;
    this.signals.listen(WORK_SIGNAL, (name) => wake(JOB_NAMES.filter((known) => !name || known === name)));
  }

  private wake(names: JobName[]): void {
    if (this.wakeHere) this.wakeHere(names);
    else for (const name of names) this.signals.send(WORK_SIGNAL, name);
  }
}
