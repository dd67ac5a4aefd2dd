/**
 * A rail lists money for payouts that do not say so: it is asked about them. What came to rest is asked about now, a few at a
 * time; what is under way has jobs that see to it, and they are told. What a rail cannot tell now jobs ask again until it can.
 */
import { Injectable } from '@nestjs/common';
import { DatabaseTrouble } from '#libs/db';
import { log } from '#libs/telemetry';
import { AFTER_A_LIST_SECONDS, saysNothingNew } from '../asked-again';
import { PayoutReads } from '../db/payout.reads';
import type { Payout } from '../payout';
import { RailQueue } from './rail-queue';
import { AskRail } from './ask-rail';

const AT_ONCE = 8;

@Injectable()
export class HearNews {
  constructor(
    private readonly reads: PayoutReads,
    private readonly asking: AskRail,
    private readonly queue: RailQueue,
  ) {}

  /** Of payouts of one rail, which is left alone as soon as it cannot tell. */
  async of(payoutIds: string[]): Promise<void> {
    const payouts = await this.reads.findAll(payoutIds);
    await this.queue.lookAll(payouts.filter(({ status }) => status === 'submitted'));
    const resting = payouts.filter(({ status }) => status !== 'submitted');
    for (let from = 0; from < resting.length; from += AT_ONCE) {
      const some = resting.slice(from, from + AT_ONCE);
      const told = await Promise.all(some.map((payout) => this.hear(payout)));
      if (!told.includes(false)) continue;
      const unheard = [...some.filter((_, place) => !told[place]), ...resting.slice(from + AT_ONCE)];
      return this.queue.lookAll(unheard);
    }
  }

  /** false where the rail cannot tell. One payout that cannot be changed is no reason to leave the others. */
  private async hear(payout: Payout): Promise<boolean> {
    try {
      const fact = await this.asking.ask(payout, { patient: false });
      const after = await this.asking.learn(payout, fact);
      if (saysNothingNew(payout, after, fact)) await this.queue.look(after, AFTER_A_LIST_SECONDS);
      return fact.kind !== 'unknown';
    } catch (error) {
      if (error instanceof DatabaseTrouble) throw error;
      const { stack, message } = error as Error;
      log.error({ event: 'drift.look_up_failed', payoutId: payout.id, stack }, message);
      return true;
    }
  }
}
