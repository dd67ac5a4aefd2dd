/** What the schedules do, for an operator who does not want to wait for them. */
import { Injectable } from '@nestjs/common';
import { PayabilityJob } from '#libs/payees';
import { SelfReleaseJobs } from '#libs/payouts';
import { ScanMovementsJob } from '#libs/reconciliation';
import { RecoverDeliveries } from '#libs/webhooks';

export const PERIODIC = ['reconcile', 'sweep', 'payability', 'webhooks', 'release'] as const;
export type Periodic = (typeof PERIODIC)[number];

@Injectable()
export class PeriodicWork {
  constructor(
    private readonly payouts: SelfReleaseJobs,
    private readonly rails: ScanMovementsJob,
    private readonly payees: PayabilityJob,
    private readonly webhooks: RecoverDeliveries,
  ) {}

  /** Told to end, it leaves the rest to the schedules. */
  run(name: Periodic, signal: AbortSignal): Promise<object> {
    switch (name) {
      case 'reconcile':
        return this.rails.now(signal);
      case 'sweep':
        return this.payouts.sweep({ signal });
      case 'payability':
        return this.payees.now(signal);
      case 'webhooks':
        return this.webhooks.run();
      case 'release':
        return this.payouts.release({ signal });
    }
  }
}
