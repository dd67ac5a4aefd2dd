/** Brings a payout that is under way one step further, whoever left it there. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { backoffSeconds } from '#libs/domain';
import { type JobOutcome, OnJob } from '#libs/jobs';
import { RailHints } from '#libs/rail-registry';
import { PayoutReads } from '../db/payout.reads';
import type { Payout } from '../payout';
import { RailQueue } from '../use-cases/rail-queue';
import { SendToRail } from '../use-cases/send-to-rail';

/** A rail is asked again soon at first, and patiently later. */
const ASK_AGAIN = { firstSeconds: 2, capSeconds: 300 };

@Injectable()
export class DrivePayoutJob implements OnModuleInit {
  constructor(
    private readonly reads: PayoutReads,
    private readonly sender: SendToRail,
    private readonly hints: RailHints,
    private readonly queue: RailQueue,
  ) {}

  onModuleInit(): void {
    this.hints.follow(async (provider, railKey) => {
      const id = await this.reads.idOfRailKey(provider, railKey);
      if (id) await this.queue.look({ id, provider });
    });
  }

  @OnJob('payout.drive')
  async drive(payoutId: string, attempts: number): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    const after = payout && (await this.driven(payout));
    return after?.status === 'submitted' ? { againInSeconds: backoffSeconds(ASK_AGAIN, attempts) } : undefined;
  }

  @OnJob('payout.look')
  async look(payoutId: string): Promise<void> {
    const payout = await this.reads.find(payoutId);
    if (payout?.status === 'submitted' || payout?.status === 'paid') await this.sender.lookUp(payout);
  }

  private driven(payout: Payout): Promise<Payout | null> | Payout {
    if (payout.status === 'authorized') return this.sender.submit(payout.id);
    if (payout.status === 'submitted' && payout.toSend) return this.sender.send(payout);
    if (payout.status === 'submitted') return this.sender.resume(payout);
    return payout;
  }
}
