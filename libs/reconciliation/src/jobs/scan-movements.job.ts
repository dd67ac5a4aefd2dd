/** Compares with the rails on a schedule, in one process at a time for each rail. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { AtStart } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { ReconcilePayouts } from '../use-cases/reconcile-payouts';
import { ScanMovements } from '../use-cases/scan-movements';
import { WatchReturns } from '../use-cases/watch-returns';

@Injectable()
export class ScanMovementsJob {
  constructor(
    private readonly reconcile: ReconcilePayouts,
    private readonly scan: ScanMovements,
    private readonly returns: WatchReturns,
    private readonly runner: SingleRunner,
  ) {}

  /** Each rail has its own run, which may take long: the next one begins on the others. */
  @Interval(60_000)
  async onSchedule(): Promise<void> {
    const rails = this.scan.all().map((rail) => this.ofRail(rail));
    await this.scan.watch().catch(triedAgain);
    await Promise.all(rails);
  }

  @AtStart()
  async onStart(): Promise<void> {
    const rails = await this.scan.atStart().catch((error: Error) => {
      triedAgain(error);
      return [];
    });
    await Promise.all(rails.map((rail) => this.ofRail(rail)));
  }

  /** Payouts that were paid, and may come back. */
  @Interval(60_000)
  @AtStart()
  async onWatch(): Promise<void> {
    await Promise.all(
      this.returns
        .all()
        .map((rail) =>
          this.runner
            .run(`watch-returns ${rail}`, (signal) => this.returns.ofRail(rail, signal))
            .catch(({ message: error }: Error) =>
              log.warn({ event: 'returns.not_watched', rail, error }, 'tried again soon'),
            ),
        ),
    );
  }

  /** Every payout that is under way, everything that the rails list, and what was paid lately. */
  async now(signal?: AbortSignal): Promise<Record<string, number>> {
    const { asked, resolved } = await this.reconcile.run(signal);
    const { compared, lookedUp, found, resolved: settled } = await this.scan.run(signal);
    const { watched, news } = await this.returns.now(signal);
    return { asked, resolved, compared, lookedUp, driftFound: found, driftResolved: settled, watched, news };
  }

  private async ofRail(rail: string): Promise<void> {
    await this.runner
      .run(`scan-movements ${rail}`, (signal) => this.scan.ofRail(rail, signal))
      .catch(({ message: error }: Error) =>
        log.warn({ event: 'movements.not_scanned', rail, error }, 'tried again soon'),
      );
  }
}

const triedAgain = (error: Error): void =>
  log.warn({ event: 'movements.not_watched', error: error.message }, 'tried again soon');
