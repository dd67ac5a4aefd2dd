/** Runs a piece of periodic work now, and answers with what it did. */
import { Injectable } from '@nestjs/common';
import { PayabilityJob } from '#libs/payees';
import { SelfReleaseJobs } from '#libs/payouts';
import { ScanMovementsJob } from '#libs/reconciliation';
import { RecoverDeliveries } from '#libs/webhooks';
import { RecordDeeds } from './record-deeds';

export const PERIODIC = ['reconcile', 'sweep', 'payability', 'webhooks', 'release'] as const;
export type Periodic = (typeof PERIODIC)[number];

export interface PeriodicRun {
  name: Periodic;
  did: Record<string, number>;
  tookMs: number;
}

@Injectable()
export class RunJobs {
  constructor(
    private readonly payouts: SelfReleaseJobs,
    private readonly rails: ScanMovementsJob,
    private readonly payees: PayabilityJob,
    private readonly webhooks: RecoverDeliveries,
    private readonly deeds: RecordDeeds,
  ) {}

  async run(actor: string, name: Periodic): Promise<PeriodicRun> {
    const startedAt = performance.now();
    const deed = { asked: `job.${name}_asked`, done: `job.${name}`, refused: `job.${name}_refused` };
    const did = await this.deeds.inSteps(
      deed,
      { actor },
      async () => ({ ...(await this.work(name)) }),
      (done) => done,
    );
    return { name, did, tookMs: Math.round(performance.now() - startedAt) };
  }

  private work(name: Periodic): Promise<object> {
    switch (name) {
      case 'reconcile':
        return this.rails.now();
      case 'sweep':
        return this.payouts.sweep();
      case 'payability':
        return this.payees.now();
      case 'webhooks':
        return this.webhooks.run();
      case 'release':
        return this.payouts.release();
    }
  }
}
