/**
 * A payee says where money goes that waits for them at a rail; the job makes the call. The rail is asked first, without a lock: whether
 * they were checked (if it or their client wants that), whether it takes the address, and whether the money still waits. It may be on
 * its way since, begun by a database that this one was restored from.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { type Payee, PayeeReads } from '#libs/payees';
import {
  asksFor,
  begun,
  isAsAsked,
  isBegunTo,
  isOldAnswer,
  legForPayee,
  type Payout,
  type PayoutChange,
  refuseBlocked,
  refuseUnlessItsPayees,
} from '#libs/payout-rules';
import { DestinationCaller } from '#libs/rail-registry';
import { AskRail } from './ask-rail';
import { ChangePayout } from './change-payout';
import { CheckPayee } from './check-payee';

@Injectable()
export class BeginLeg {
  constructor(
    private readonly change: ChangePayout,
    private readonly rail: AskRail,
    private readonly destinations: DestinationCaller,
    private readonly checks: CheckPayee,
    private readonly payees: PayeeReads,
  ) {}

  /**
   * Giving the same address again changes nothing: a payee who lost the answer asks again. `isTheirs` is asked last, with the payee locked,
   * because rails may have taken their time.
   */
  async run(payout: Payout, entered: string, isTheirs: (payee: Payee) => boolean = () => true): Promise<Payout> {
    refuseUnlessItsPayees(payout);
    if (legForPayee(payout)) await this.checks.refuseUnlessCleared(payout);
    const destination = await this.checked(payout, entered);
    const askedAt = this.rail.askedAt();
    const asked = legForPayee(payout) ? await this.stillWaiting(payout) : payout;
    const decide = async (locked: Payout, payee: Payee | undefined): Promise<PayoutChange | null> => {
      if (isBegunTo(locked, destination)) return null;
      refuseUnlessItsPayees(locked);
      const isStillSo = isAsAsked(locked, asked) && !isOldAnswer(askedAt, this.rail.now());
      if (!payee || !isTheirs(payee) || !isStillSo) throw changed();
      refuseBlocked((await this.payees.lastLook([locked])).get(locked.id));
      return begun(locked, destination, this.rail.askedAt(), payee);
    };
    return this.change.withPayees([payout.payeeId], (payees) =>
      this.change.one(payout.id, (locked) => decide(locked, payees.get(payout.payeeId))),
    );
  }

  /** The address in its one form. */
  async checked(payout: Payout, entered: string): Promise<string> {
    const answer = await this.destinations.check(payout.provider ?? '', await this.rail.orderOf(payout), entered);
    if (answer.kind === 'refused') throw new Refusal('destination_refused', answer.reason);
    if (answer.kind === 'unknown') throw cannotTell();
    return answer.destination;
  }

  /** The rail's answer is applied at once: if it refused the earlier round, the payout now waits in another one. */
  private async stillWaiting(payout: Payout): Promise<Payout> {
    const fact = await this.rail.ask(payout, { patient: false, byCaller: true });
    if (fact.kind === 'unknown') throw cannotTell();
    const now = await this.rail.apply(payout, fact);
    const leg = legForPayee(now);
    if (!leg || !asksFor(fact, leg)) throw changed();
    return now;
  }
}

const CHANGED = 'The payout changed just now. Read it, and try again if it still waits for its payee.';
const CANNOT_TELL = 'The rail cannot be asked just now. Nothing was begun: try again in a while.';
const changed = (): Refusal => new Refusal('illegal_transition', CHANGED);
const cannotTell = (): Refusal => new Refusal('service_unavailable', CANNOT_TELL);
