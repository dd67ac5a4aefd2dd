/** The second leg: from the payee's wallet to where they said, once they said it. */
import {
  afterSending,
  type AwaitingPayee,
  type RailCall,
  type RailLeg,
  type RailOrder,
  type SubmitAnswer,
} from '#libs/rail-kit';
import { usdcOf } from './amounts';
import type { Problem } from './circle.shapes';
import type { Drained, Sight } from './circle.sight';
import { type PaymentParts, type Payments, unseen } from './payments';
import { drainReference } from './references';
import { codeOf, DRAIN, drainRefused, notNow, putOff, reasonFor, unanswered, unmapped } from './swap-rail.mapping';

const FROZEN = 'Your wallet is on hold. Ask whoever pays you, and enter your address once more.';
const NOT_TAKEN = 'This address was not taken. Enter another one.';
const NO_LONGER = { kind: 'unknown', detail: 'this drain is not to be made any more' } as const;
const NOT_MADE = {
  no_longer: NO_LONGER,
  another_in_doubt: {
    kind: 'unknown',
    detail: 'another drain of it was sent a moment ago, and Circle does not list it yet',
  },
} as const;
const IN_DOUBT = {
  kind: 'unknown',
  detail: 'turned away now, and sent before with an answer that was lost',
} as const;

export class Drains {
  constructor(
    private readonly parts: PaymentParts,
    private readonly payments: Payments,
  ) {}

  /** Goes by what Circle shows, and not by what we were told to do: another process may have done it. */
  async advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    const { sight, tries } = this.parts;
    const seen = await sight.look(order, await tries.read(order.railKey), call);
    if (seen.kind === 'nothing') return { kind: 'unknown', detail: 'Circle does not show the first leg' };
    if (seen.kind !== 'seen') return unseen(seen);
    const fact = await this.payments.told(seen.sight);
    if (fact.kind !== 'awaiting_payee' || leg.name !== DRAIN || fact.begins?.refused?.key === leg.key) return fact;
    const made = seen.sight.drains.find(({ legKey }) => legKey === leg.key);
    if (made) return this.cameToNothing(made, fact);
    return fact.echo?.amountCents === order.amountCents ? this.drain(order, leg, seen.sight, call) : fact;
  }

  /**
   * It is not made again, and its refusal has its own key, whichever came to nothing since: a database that was restored to before it comes to
   * the same key once more, and hears of this call by no other.
   */
  private async cameToNothing({ legKey: key, transaction }: Drained, fact: AwaitingPayee): Promise<SubmitAnswer> {
    const reason = reasonFor(transaction);
    await this.parts.drains.cameToNothing(key, reason);
    return { ...fact, begins: { leg: DRAIN, refused: { key, reason } } };
  }

  private async drain(order: RailOrder, leg: RailLeg, sight: Sight, call?: RailCall): Promise<SubmitAnswer> {
    const { client, wallets, drains } = this.parts;
    const amount = usdcOf(order);
    if (leg.destination === undefined || amount === null) return NO_LONGER;
    const wallet = await wallets.read(sight.wallet.id, call?.signal);
    if (wallet.kind !== 'done') return unanswered(wallet);
    if (wallet.found.state !== 'LIVE') return this.refused(leg, sight, FROZEN);
    const sending = await drains.sending(sight, leg);
    if (typeof sending === 'string') return NOT_MADE[sending];
    const wanted = {
      ...{ idempotencyKey: sending.key, walletId: sight.wallet.id, destinationAddress: leg.destination, amount },
      refId: drainReference(order.railKey, sight.number, leg.key),
    };
    const answer = await client.transfer(wanted, call?.signal);
    if (answer.kind === 'done') return this.made(leg, sight, answer.found.data.id, call);
    if (answer.kind === 'unclear') return unanswered(answer);
    await drains.wasTurnedAway(leg, sending.which);
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    return answer.kind === 'not_made' ? putOff(answer.detail) : this.turnedAway(leg, sight, answer);
  }

  private async turnedAway(
    leg: RailLeg,
    sight: Sight,
    { status, problem }: { status: number; problem: Problem },
  ): Promise<SubmitAnswer> {
    switch (drainRefused(status, problem)) {
      case 'address':
        return this.refused(leg, sight, NOT_TAKEN);
      case 'credentials':
        return { kind: 'refused', failure: 'credentials', reason: `Circle does not know us: ${codeOf(problem)}` };
      case 'later':
        // The same call again, to the same address: it is nothing that its payee could change.
        return this.payments.told(sight);
      case null:
        return unmapped('error', codeOf(problem));
    }
  }

  /** Circle said no more than that it is there: the money has left, whatever the question is answered. */
  private async made({ key: legKey }: RailLeg, sight: Sight, id: string, call?: RailCall): Promise<SubmitAnswer> {
    const answer = await this.parts.client.transaction(id, call?.signal);
    if (answer.kind !== 'done') return afterSending(unanswered(answer));
    const drain = { transaction: answer.found.data.transaction, legKey };
    return this.payments.told({ ...sight, drains: [drain, ...sight.drains] });
  }

  private async refused(leg: RailLeg, sight: Sight, reason: string): Promise<SubmitAnswer> {
    return (await this.parts.drains.refuse(sight, leg, reason)) ? this.payments.told(sight) : IN_DOUBT;
  }
}
