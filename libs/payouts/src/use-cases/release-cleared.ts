/**
 * Releases payouts that a client lets go on by themselves once their cause is gone. A number of payees at a time, of each client in turn,
 * its next ones at the next look: payouts that still have their cause are left alone, and must not keep others back.
 */
import { Injectable } from '@nestjs/common';
import { reasonCodeOf } from '#libs/domain';
import { DatabaseClock, OneAfterAnother, type Room, type RunLimits } from '#libs/db';
import { hasRested, wentOn } from '#libs/payout-rules';
import { HeldReads, type PayoutsOfPayee } from '../db/held.reads';
import { ChangePayout } from './change-payout';
import { JudgeHeld } from './judge-held';

const PAYEES_AT_A_TIME = 500;
/** However many are held for how many causes: one transaction judges them. */
const OF_EACH = 250;

@Injectable()
export class ReleaseCleared {
  private readonly payees = new OneAfterAnother<PayoutsOfPayee>(
    ({ payeeId }) => payeeId,
    ({ payeeId }) => ({ event: 'payee.not_released', payeeId }),
  );
  /** By client, the payee who had its last turn. */
  private readonly last = new Map<string, string>();

  constructor(
    private readonly change: ChangePayout,
    private readonly held: HeldReads,
    private readonly judge: JudgeHeld,
    private readonly clock: DatabaseClock,
  ) {}

  /** Returns how many went on. The floor counts: nobody asked for this very payout. */
  async run(limits?: RunLimits): Promise<number> {
    const found = await this.held.maybeCleared(this.last, PAYEES_AT_A_TIME, OF_EACH);
    const looked = new Set<string>();
    const work = async ({ payeeId, ids }: PayoutsOfPayee, room: Room): Promise<number> => {
      looked.add(payeeId);
      if (ids.length === 0) return 0;
      const { changed, asked } = await this.change.withPayees([payeeId], async (payees) =>
        this.judge.run(await this.held.lockAutoReleased(ids), payees, {
          onlyCleared: true,
          isDue: (payout, { autoRelease }) =>
            autoRelease.some((one) => one === reasonCodeOf(payout.statusReason)) && hasRested(payout, this.clock.now()),
        }),
      );
      room.left -= asked.length + changed.length;
      return asked.length + changed.filter(wentOn).length;
    };
    try {
      return await this.payees.run(found, work, limits);
    } finally {
      this.rememberTurns(found, looked);
    }
  }

  /** Whoever was passed over, for their client had enough or was held up, is the next one. */
  private rememberTurns(found: PayoutsOfPayee[], looked: Set<string>): void {
    const passedOver = new Set<string>();
    for (const { clientId, payeeId } of found) {
      if (!looked.has(payeeId)) passedOver.add(clientId);
      if (!passedOver.has(clientId)) this.last.set(clientId, payeeId);
    }
  }
}
