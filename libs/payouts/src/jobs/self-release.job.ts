/** When payouts that wait for something are looked at again: on news, and on a schedule in one process at a time. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { OnJob } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { ReleaseFunded } from '../use-cases/release-funded';
import { ReleaseHeld } from '../use-cases/release-held';

@Injectable()
export class SelfReleaseJobs {
  constructor(
    private readonly held: ReleaseHeld,
    private readonly funded: ReleaseFunded,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(30_000)
  async onSchedule(): Promise<void> {
    const all = async (): Promise<void> => {
      for (const work of [() => this.sweep(), () => this.release()]) await work().catch(triedAgain);
    };
    await this.runner.run('self-release', all).catch(triedAgain);
  }

  async sweep(): Promise<{ released: number }> {
    const accrued = await this.held.accrued();
    return { released: accrued + (await this.held.undisputed()) };
  }

  async release(): Promise<{ ofEarlierDays: number; walletsFunded: number; railsFunded: number }> {
    return {
      ofEarlierDays: await this.held.ofEarlierDays(),
      walletsFunded: await this.funded.ofEveryClient(),
      railsFunded: await this.funded.ofRails(),
    };
  }

  @OnJob('payouts.funded')
  async afterFunding(clientId: string): Promise<void> {
    await this.funded.ofClient(clientId);
  }
}

const triedAgain = (error: Error): void =>
  log.warn({ event: 'payouts.not_released', error: error.message }, 'tried again soon');
