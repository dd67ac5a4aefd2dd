/** Releases owed money by itself, some time after the change that calls for it. */
import { Injectable } from '@nestjs/common';
import { OnJob } from '#libs/jobs';
import { ReleaseByItself } from '../use-cases/release-by-itself';

@Injectable()
export class ReleaseJob {
  constructor(private readonly release: ReleaseByItself) {}

  @OnJob('owed.release')
  ofPayee(payeeId: string): Promise<void> {
    return this.release.ofPayee(payeeId);
  }

  @OnJob('owed.funded')
  ofClient(clientId: string): Promise<void> {
    return this.release.ofClient(clientId);
  }
}
