/** Lets many payouts go on, one after the other: what one of them meets keeps no other. */
import { Injectable } from '@nestjs/common';
import type { Asker } from '#libs/auth';
import { Refusal } from '#libs/domain';
import type { HeldPayout } from '../db/held-list.reads';
import { OperatePayouts } from './operate-payouts';

export interface Released extends Omit<HeldPayout, 'createdUs'> {
  status: string;
  /** The code of what was against it. */
  error: string | null;
  /** The same in words. */
  message: string | null;
}

@Injectable()
export class ReleaseMany {
  constructor(private readonly operate: OperatePayouts) {}

  /** It may take a minute: whose token is taken back meanwhile releases no more. */
  async run(asker: Asker, held: HeldPayout[]): Promise<Released[]> {
    const released: Released[] = [];
    for (const payout of held) {
      await asker.checkAgain();
      released.push(await this.one(asker.actor, payout));
    }
    return released;
  }

  private async one(actor: string, payout: HeldPayout): Promise<Released> {
    try {
      const { status, statusReason } = await this.operate.release(actor, payout.id);
      return { ...payout, status, statusReason, error: null, message: null };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, statusReason } = await this.operate.find(payout.id);
      return { ...payout, status, statusReason, error: error.code, message: error.message };
    }
  }
}
