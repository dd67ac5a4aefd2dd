/** Compares with the rails on a schedule, in one process at a time. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { ReconcilePayouts } from '../use-cases/reconcile-payouts';
import { ScanMovements } from '../use-cases/scan-movements';

@Injectable()
export class ScanMovementsJob {
  constructor(
    private readonly reconcile: ReconcilePayouts,
    private readonly scan: ScanMovements,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(60_000)
  async onSchedule(): Promise<void> {
    const scanned = this.runner.run('scan-movements', (signal) => this.scan.run(signal));
    await scanned.catch(triedAgain);
    await this.scan.watch().catch(triedAgain);
  }

  /** Every payout that is under way, and then everything that the rails list. */
  async now(): Promise<Record<string, number>> {
    const { asked, resolved } = await this.reconcile.run();
    const { compared, lookedUp, found, resolved: settled } = await this.scan.run();
    return { asked, resolved, compared, lookedUp, driftFound: found, driftResolved: settled };
  }
}

const triedAgain = (error: Error): void =>
  log.warn({ event: 'movements.not_scanned', error: error.message }, 'tried again soon');
