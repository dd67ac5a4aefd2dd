/** Releases owed money by itself, some time after the change that calls for it. */
import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '#libs/db';
import { type JobOutcome, OnJob, type TakenJob } from '#libs/jobs';
import { ReleaseByItself } from '../use-cases/release-by-itself';
import { WakeWaiting } from '../use-cases/wake-waiting';

@Injectable()
export class ReleaseJob {
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
  async ofClient(clientId: string, _attempts: number, { signal }: Pick<TakenJob, 'signal'>): Promise<JobOutcome> {
    await this.waiting.ofClient(clientId, signal);
    return signal.aborted ? { againInSeconds: 0 } : undefined;
  }
}
