/**
 * When payability is looked at again: on a schedule in one process at a time for each rail, when a provider named an account, and
 * when routing changed.
 */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DatabaseClock, SingleRunner } from '#libs/db';
import { AtStart, type JobOutcome, LeftOff, OnJob, type PassPlace, type TakenJob } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { RefreshPayability } from '../use-cases/refresh-payability';
import { ResolvePayees } from '../use-cases/resolve-payees';

/** Longer than any transaction may stand still: see `IDLE_IN_TRANSACTION_MS`. */
const RESOLVED_AGAIN_SECONDS = 60;

@Injectable()
export class PayabilityJob {
  private readonly resolving = new LeftOff<PassPlace & { isLast: boolean }>();

  constructor(
    private readonly refresh: RefreshPayability,
    private readonly resolve: ResolvePayees,
    private readonly runner: SingleRunner,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * Each rail has a run of its own for accounts that are payable, and one for the others. A run may take long: the next one begins
   * on the others.
   */
  @Interval(60_000)
  @AtStart()
  async onSchedule(): Promise<void> {
    await Promise.all(
      this.refresh.rails().flatMap((rail) => [true, false].map((payable) => this.ofRail(rail, payable))),
    );
  }

  @OnJob('payees.read_account')
  async onNotice(methodId: string, attempts: number): Promise<JobOutcome> {
    const againInSeconds = await this.refresh.named(methodId, attempts);
    return againInSeconds === null ? undefined : { againInSeconds };
  }

  /**
   * A portion at a time, and all once more later on: a payee may be made or changed by the old routing meanwhile, in a transaction that the
   * first run does not see.
   */
  @OnJob('payees.resolve')
  async onRoutingChange(clientId: string, _attempts: number, job: TakenJob): Promise<JobOutcome> {
    const run = this.resolving.of(job) ?? { isLast: this.isLongAgo(job), ...(await this.resolve.begin()) };
    const place = await this.resolve.portion(clientId, run, job.signal);
    this.resolving.keep(job, place && { ...run, ...place });
    if (place) return { againInSeconds: 0 };
    return run.isLast ? undefined : { againInSeconds: RESOLVED_AGAIN_SECONDS };
  }

  /** Also of those accounts whose rail was asked a moment ago. */
  now(signal?: AbortSignal): Promise<{ asked: number; changed: number }> {
    return this.refresh.ofAll(signal);
  }

  private isLongAgo({ createdAt }: TakenJob): boolean {
    return createdAt.getTime() + RESOLVED_AGAIN_SECONDS * 1_000 <= this.clock.earliest().getTime();
  }

  private async ofRail(rail: string, payable: boolean): Promise<void> {
    await this.runner
      .run(`payability ${rail}${payable ? ' payable' : ''}`, (signal) => this.refresh.ofRail(rail, payable, { signal }))
      .catch(({ message: error }: Error) =>
        log.warn({ event: 'payees.not_refreshed', rail, error }, 'tried again soon'),
      );
  }
}
