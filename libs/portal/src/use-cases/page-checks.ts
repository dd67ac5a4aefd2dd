/**
 * What has to hold before a payee's click goes on with a payment: nothing keeps it where it is, they are cleared, it still waits, and their
 * rail may be asked once more.
 */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { PayeeReads } from '#libs/payees';
import { isBlocked, waitsForPayee } from '#libs/payout-rules';
import { CheckPayee, type PayeeStanding, PayoutReads } from '#libs/payouts';
import type { DirectedCheck } from '#libs/rail-kit';
import { type Asking, PageQuestions } from './page-questions';
import type { ClaimVisit } from './visit-claim';

const ASKED_OFTEN = {
  kind: 'unknown',
  detail: 'the pages of this client asked its rail as often as they may',
} as const;

@Injectable()
export class PageChecks {
  constructor(
    private readonly checks: CheckPayee,
    private readonly questions: PageQuestions,
    private readonly clients: ClientRegistry,
    private readonly payouts: PayoutReads,
    private readonly payees: PayeeReads,
  ) {}

  /**
   * They are blocked, or their country, by what is stored: also of what was handed over before. Nor is anybody led to money of which a rail
   * says that it moved already, for a link is the last that we send. An address is taken meanwhile: its call waits for the operator.
   */
  async isOnHold({ payout, isLed }: Pick<ClaimVisit, 'payout' | 'isLed'>): Promise<boolean> {
    const look = (await this.payees.lastLook([payout])).get(payout.id);
    return !look || isBlocked(look) || (isLed && look.disputed);
  }

  /** Of who need not be checked nobody asks. */
  async standing(
    { client, payee, payout, checksFirst }: ClaimVisit,
    asking: Asking = 'waiting',
  ): Promise<PayeeStanding> {
    return checksFirst && !this.questions.take({ client, payee }, asking) ? ASKED_OFTEN : this.checks.standing(payout);
  }

  /** Whether their rail may be asked once more for what moves their money. */
  takesTurn(visit: ClaimVisit): boolean {
    return this.questions.take(visit, 'moving');
  }

  /** Their client did not require a check when they came, but does now by its stored settings. */
  async isWantedSince({ client, checksFirst }: ClaimVisit): Promise<boolean> {
    return !checksFirst && ((await this.clients.stored(client.id))?.checksPayees ?? true);
  }

  /** The payout no longer waits for its payee, and was not handed over: its money is owed again, or went out by other means. */
  async hasEndedSince({ payout }: ClaimVisit): Promise<boolean> {
    const now = await this.payouts.find(payout.id);
    if (now?.status === 'paid') return (await this.payouts.calledPaid([now.id])).size > 0;
    return now === null || !waitsForPayee(now);
  }

  /** On a rail for tests. */
  direct({ payout }: ClaimVisit, outcome: DirectedCheck): Promise<void> {
    return this.checks.direct(payout, outcome);
  }
}
