/** What may have changed since a payout was authorized, looked at once more before it is sent. */
import { Injectable } from '@nestjs/common';
import { type LastLook as PayeeLook, PayeeReads } from '#libs/payees';
import { PayoutReads } from '../db/payout.reads';
import type { Payout } from '../payout';

export interface LastLook extends PayeeLook {
  /** A rail says that it moved money for an earlier payout of its rows. */
  disputed: boolean;
}

@Injectable()
export class LookAgain {
  constructor(
    private readonly payees: PayeeReads,
    private readonly reads: PayoutReads,
  ) {}

  /** By the ids of the payouts, which the caller's transaction locked. */
  async at(payouts: Payout[]): Promise<Map<string, LastLook>> {
    const disputed = await this.reads.disputed(payouts);
    const looks = await this.payees.lastLook(payouts);
    return new Map([...looks].map(([id, look]) => [id, { ...look, disputed: disputed.has(id) }]));
  }
}
