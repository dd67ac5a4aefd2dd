/** Releases owed money by itself, some time after the change that calls for it. */
import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '#libs/db';
import { type JobOutcome, LeftOff, OnJob, type PassPlace, type TakenJob } from '#libs/jobs';
import { ReleaseByItself } from '../use-cases/release-by-itself';
import { WakeWaiting } from '../use-cases/wake-waiting';

@Injectable()
export class ReleaseJob {
  private readonly waking = new LeftOff<PassPlace>();

  constructor(
    private readonly release: ReleaseByItself,
    private readonly waiting: WakeWaiting,
    private readonly clock: DatabaseClock,
  ) {}

  @OnJob('owed.release')
  async ofPayee(payeeId: string): Promise<JobOutcome> {
    const until = await this.release.ofPayee(payeeId);
    if (until === null) return;
    return { againInSeconds: Math.max(1, Math.ceil((until.getTime() - this.clock.now().getTime()) / 1000)) };
  }

  @OnJob('owed.funded')
  async ofClient(clientId: string, _attempts: number, job: TakenJob): Promise<JobOutcome> {
    const from = this.waking.of(job) ?? (await this.waiting.begin());
    const place = await this.waiting.ofClient(clientId, from, job.signal);
    this.waking.keep(job, place);
    return place ? { againInSeconds: 0 } : undefined;
  }
}
