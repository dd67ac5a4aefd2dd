import { Injectable } from '@nestjs/common';
import { type HeldJob, type JobOutcome, OnJob, type TakenJob } from '#libs/jobs';
import { AnnounceEvents } from '../use-cases/announce-events';

@Injectable()
export class AnnounceJob {
  constructor(private readonly announce: AnnounceEvents) {}

  @OnJob('events.announce')
  async run(entityId: string, _attempts: number, job: HeldJob & Pick<TakenJob, 'signal'>): Promise<JobOutcome> {
    const seconds = await this.announce.run(entityId, job);
    return seconds === null ? undefined : { againInSeconds: seconds };
  }
}
