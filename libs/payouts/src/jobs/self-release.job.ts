/** When payouts that wait for something are looked at again: on news, and on a schedule in one process at a time. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { eachOf, type RunLimits, SingleRunner } from '#libs/db';
import { AtStart, type JobOutcome, OnJob, type TakenJob } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { GROUPS_AT_A_TIME } from '../db/held-for';
import { ReleaseCleared } from '../use-cases/release-cleared';
import { ReleaseFunded } from '../use-cases/release-funded';
import { ReleaseHeld } from '../use-cases/release-held';

/** Until others have the schedule. */
const MOST_ROUNDS = 20;
/** Payouts of each client, for each cause in a round: then those of others, and of other causes, have their turn. */
const MOST_IN_A_ROUND = 2_500;

@Injectable()
export class SelfReleaseJobs {
  constructor(
    private readonly held: ReleaseHeld,
    private readonly funded: ReleaseFunded,
    private readonly cleared: ReleaseCleared,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(30_000)
  @AtStart()
  async onSchedule(): Promise<void> {
    const all = async (signal: AbortSignal): Promise<void> => {
      // What is only asked about counts too, and may come again if its rail cannot tell.
      for (let rounds = 1; (await this.round(signal)) >= GROUPS_AT_A_TIME && rounds < MOST_ROUNDS; rounds += 1);
    };
    await this.runner.run('self-release', all).catch(triedAgain);
  }

  /** Returns how many went on. */
  private async round(signal: AbortSignal): Promise<number> {
    let count = 0;
    const limits = { signal, mostOfEach: MOST_IN_A_ROUND };
    for (const work of [() => this.sweep(limits), () => this.release(limits)]) {
      const released: Record<string, number> = await work().catch((error: Error) => {
        triedAgain(error);
        return {};
      });
      count += Object.values(released).reduce((sum, one) => sum + one, 0);
    }
    return count;
  }

  async sweep(limits: RunLimits = {}): Promise<{ released: number }> {
    const works = [() => this.held.accrued(limits), () => this.held.undisputed(limits)];
    const [accrued = 0, undisputed = 0] = await eachOf(works, limits.signal);
    return { released: accrued + undisputed };
  }

  async release(
    limits: RunLimits = {},
  ): Promise<Record<'ofEarlierDays' | 'walletsFunded' | 'railsFunded' | 'cleared', number>> {
    const { signal } = limits;
    const works = [
      () => this.held.ofEarlierDays(null, limits),
      () => this.funded.ofEveryClient(signal),
      () => this.funded.ofRails(signal),
      () => this.cleared.run(limits),
    ];
    const [ofEarlierDays = 0, walletsFunded = 0, railsFunded = 0, cleared = 0] = await eachOf(works, signal);
    return { ofEarlierDays, walletsFunded, railsFunded, cleared };
  }

  /** A test client let days go by: its payouts that waited for another day need not wait for the schedule. */
  ofEarlierDays(clientId: string): Promise<number> {
    return this.held.ofEarlierDays(clientId);
  }

  @OnJob('payouts.funded')
  async afterFunding(clientId: string, _attempts: number, { signal }: Pick<TakenJob, 'signal'>): Promise<JobOutcome> {
    const { isMore } = await this.funded.ofClient(clientId, signal);
    return isMore || signal.aborted ? { againInSeconds: 0 } : undefined;
  }
}

const triedAgain = (error: Error): void =>
  log.warn({ event: 'payouts.not_released', error: error.message }, 'tried again soon');
