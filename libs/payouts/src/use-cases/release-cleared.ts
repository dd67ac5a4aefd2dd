/**
 * Releases payouts that a client lets go on by themselves once their cause is gone. A number of payees at a time, of each client in turn,
 * its next ones at the next look: payouts that still have their cause are left alone, and must not keep others back.
 */
import { Injectable } from '@nestjs/common';
import { reasonCodeOf } from '#libs/domain';
import { DatabaseClock, OneAfterAnother } from '#libs/db';
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
  async run(signal?: AbortSignal): Promise<number> {
    const found = await this.held.maybeCleared(this.last, PAYEES_AT_A_TIME, OF_EACH);
    for (const { clientId, payeeId } of found) this.last.set(clientId, payeeId);
    const work = async ({ payeeId, ids }: PayoutsOfPayee): Promise<number> => {
      const { changed, asked } = await this.change.withPayees([payeeId], async (payees) =>
        this.judge.run(await this.held.lockAutoReleased(ids), payees, {
          onlyCleared: true,
          isDue: (payout, { autoRelease }) =>
            includes(autoRelease, reasonCodeOf(payout.statusReason)) && hasRested(payout, this.clock.now()),
        }),
      );
      return asked.length + changed.filter(wentOn).length;
    };
    return this.payees.run(found, work, signal);
  }
}

const includes = (reasons: readonly string[], code: string | null): boolean => code !== null && reasons.includes(code);
