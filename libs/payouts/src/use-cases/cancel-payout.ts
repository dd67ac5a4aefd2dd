/**
 * Its caller takes back a payout that has not left. If it was ever sent, its rail is asked first, and has to say that none of it moved. A
 * process that takes on its next send meanwhile, or cancels it first, does so under the same lock.
 */
import { Injectable } from '@nestjs/common';
import { type PayoutStatus, Refusal } from '#libs/domain';
import { cancelled, changeOf, hasMoney, isAsAsked, isCancelled, isOldAnswer, type Payout } from '#libs/payout-rules';
import { AskRail } from './ask-rail';
import { ChangePayout } from './change-payout';
import { GiveUpPayout } from './give-up-payout';
import { PayoutGates } from './payout-gates';

@Injectable()
export class CancelPayout {
  constructor(
    private readonly change: ChangePayout,
    private readonly rail: AskRail,
    private readonly givingUp: GiveUpPayout,
    private readonly gates: PayoutGates,
  ) {}

  /** One that is cancelled already stays as it is: whoever lost the answer asks again. */
  async run(payout: Payout): Promise<Payout> {
    if (isCancelled(payout)) return payout;
    refuseIfItLeft(payout);
    const askedAt = this.rail.askedAt();
    if (payout.submittedAt !== null) await this.hearNo(payout);
    else await this.refuseIfItsRailHasIt(payout);
    return this.change.one(payout.id, async (locked) => {
      if (isCancelled(locked)) return null;
      refuseIfItLeft(locked);
      // The answer is about what was sent until then, and it grows old if a process stands still.
      const counts = isAsAsked(locked, payout) && !isOldAnswer(askedAt, this.rail.now());
      if (locked.submittedAt !== null && !counts) throw notCancellable(CHANGED);
      if (locked.submittedAt === null && (await this.gates.waitsForListsNow(locked)))
        throw notCancellable(NOT_COMPARED);
      await this.givingUp.nameWhatMoved(locked);
      return cancelled(changeOf(locked));
    });
  }

  /**
   * It may have been sent before this database was restored: if it goes on, it is sent under its code, and learns what there is. Or an
   * earlier payout of its rows was sent: news of that one counts at once, because nobody may ask about it any more.
   */
  private async refuseIfItsRailHasIt(payout: Payout): Promise<void> {
    const said = await this.givingUp.ask(payout, { byCaller: true });
    if (!said || !hasMoney(said)) return;
    await this.rail.apply(payout, said);
    throw notCancellable(ITS_RAIL_HAS_IT);
  }

  /** Whatever the rail shows is applied at once. */
  private async hearNo(payout: Payout): Promise<void> {
    const fact = await this.rail.ask(payout, { byCaller: true });
    if (this.rail.saysNo(payout, fact)) return;
    if (fact.kind === 'unknown' || fact.kind === 'never_seen') throw notCancellable(CANNOT_TELL);
    await this.rail.apply(payout, fact);
    throw notCancellable(ITS_RAIL_HAS_IT);
  }
}

const AT_HOME: PayoutStatus[] = ['held', 'authorized'];

function refuseIfItLeft({ status, supersededBy }: Payout): void {
  if (supersededBy !== null) throw notCancellable('What it pays went on to another payout.');
  if (!AT_HOME.includes(status)) throw notCancellable(`The payout is ${status}, not held or authorized.`);
}

const ITS_RAIL_HAS_IT = 'Its rail says that it has this payout.';
const CHANGED =
  'The payout changed while its rail was asked, or that took long. Read it, and cancel it again if it still has not left.';
const NOT_COMPARED =
  'The database was restored, or the list of its rail could not be read for ten minutes or more: whether it left before is not known. That is looked into each minute, by the operator for some rails; try again then.';
const CANNOT_TELL =
  'It was sent before, and its rail cannot tell now what became of that. Try again later, or ask the operator.';
const notCancellable = (message: string): Refusal => new Refusal('payout_not_cancellable', message);
