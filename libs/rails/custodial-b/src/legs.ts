/** The calls after the first one: to the payee's bank, or back to us if the bank, or Adyen, will not have it. */
import { keyOfTry, type RailCall, type RailLeg, type RailOrder, type SubmitAnswer } from '#libs/rail-kit';
import type { AdyenAnswer } from './adyen.client';
import type { Transfer } from './adyen.shapes';
import {
  codeOf,
  factOf,
  isAboutUs,
  isDefiniteNo,
  isForbidden,
  LATER_SECONDS,
  notPaidOutBy,
  putOff,
  toPullBack,
  unanswered,
  unmapped,
} from './custodial-b.mapping';
import { descriptionOf } from './description';
import { instrumentFor, noInstrument } from './destination';
import { markOf } from './movements';
import { type PaymentParts, toldOf, unseen } from './payments';
import { referenceOf } from './references';
import { accountOf, isBooked, isOff, type NotPaidOut, type Round } from './round';

const NO_INSTRUMENT: NotPaidOut = { failure: 'account', reason: 'the account at Adyen has no bank account to pay to' };

const NOT_SHOWN: SubmitAnswer = { kind: 'unknown', detail: 'Adyen does not show the transfer' };

type Rejected = Extract<AdyenAnswer<never>, { kind: 'rejected' }>;

export class Legs {
  constructor(private readonly parts: PaymentParts) {}

  /** Goes by what Adyen shows, and not by what we were told to do: another process may have done it. */
  async advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    const seen = await this.parts.sight.look(order, call);
    if (seen.kind === 'nothing') return NOT_SHOWN;
    if (seen.kind !== 'seen') return unseen(seen);
    const { round } = seen;
    const fact = await toldOf(this.parts, order, seen, { as: factOf, call });
    if (!fact) return NOT_SHOWN;
    const next = fact.kind === 'accepted' ? fact.next?.leg : undefined;
    if (next !== leg.name || isUnderWay(round)) return fact;
    return leg.name === 'payout' ? this.payOut(order, round, call) : this.pullBack(order, round, call);
  }

  private async payOut(order: RailOrder, round: Round, call?: RailCall): Promise<SubmitAnswer> {
    const { accountId } = order;
    if (accountId === null) return { kind: 'unknown', detail: 'the payee has no account at Adyen any more' };
    const name = nameOf(round, 'bank');
    const instrument = await instrumentFor({ ...order, accountId }, name, this.parts, call);
    if ('kind' in instrument) return instrument.kind === 'forbidden' ? later(this.factOf(round)) : asDelay(instrument);
    const { transferInstrumentId: id } = instrument;
    const said = id === null ? await this.notPaidOut(round, NO_INSTRUMENT) : await this.toBank(order, round, id, call);
    return 'kind' in said ? said : this.factOf({ ...round, notPaidOut: said });
  }

  private async toBank(
    order: RailOrder,
    round: Round,
    transferInstrumentId: string,
    call?: RailCall,
  ): Promise<SubmitAnswer | NotPaidOut> {
    const { amount } = round.fund;
    const { answer } = await this.send(nameOf(round, 'bank'), call, {
      ...{ amount, balanceAccountId: accountOf(round.fund), category: 'bank' },
      ...{ reference: referenceOf(order.railKey, round.number), priority: 'regular' },
      ...{ counterparty: { transferInstrumentId }, ...descriptionOf(order.payerName) },
    });
    if (answer.kind === 'done') return this.factOf(withBank(round, answer.found));
    if (answer.kind !== 'rejected') return unanswered(answer);
    const said = notPaidOutBy(answer.status, answer.problem);
    return said ? this.notPaidOut(round, said) : this.notDone(round, answer);
  }

  /** A rejected call keeps its key: any later sender gets the same refusal. */
  private notPaidOut(round: Round, why: NotPaidOut): Promise<NotPaidOut> {
    return this.parts.sight.notPaidOut(round.fund, why);
  }

  /** Nothing may go to the bank that is pulled back at the same time: whoever was about to send it comes first, or not at all. */
  private async pullBack(order: RailOrder, round: Round, call?: RailCall): Promise<SubmitAnswer> {
    if (round.wasPaid || round.notPaidOut) return this.takeBack(order, round, call);
    const instrument = await noInstrument(order.payoutId, nameOf(round, 'bank'), this.parts);
    if ('kind' in instrument) return instrument;
    const { transferInstrumentId: id } = instrument;
    const sent = id === null ? null : await this.toBank(order, round, id, call);
    return sent && 'kind' in sent ? sent : this.takeBack(order, round, call);
  }

  private async takeBack(order: RailOrder, round: Round, call?: RailCall): Promise<SubmitAnswer> {
    const { amount } = round.fund;
    const value = toPullBack(round);
    const name = nameOf(round, 'back');
    const { answer, number } = await this.send(name, call, {
      ...{ amount: { ...amount, value }, balanceAccountId: accountOf(round.fund), category: 'internal' },
      counterparty: { balanceAccountId: this.parts.balanceAccount },
      ...{ reference: referenceOf(order.railKey, round.number), ...markOf(this.parts.deployment) },
    });
    if (answer.kind === 'rejected') {
      // It is the next key's turn. What may be under way keeps its own, or it would be pulled back twice.
      if (isDefiniteNo(answer.status, answer.problem)) await this.parts.tries.isOver(name, number);
      return this.notDone(round, answer);
    }
    if (answer.kind !== 'done') return unanswered(answer);
    const made = { ...round, backs: [answer.found, ...round.backs] };
    // The account owes Adyen something. It is tried again, and nobody calls it refused before the money is back.
    if (isOff(answer.found)) return later(this.factOf(made));
    const seen = isBooked(answer.found) ? null : await this.parts.sight.look(order, call);
    return this.factOf(seen?.kind === 'seen' ? seen.round : made);
  }

  private async send(
    name: string,
    call: RailCall | undefined,
    body: object,
  ): Promise<{ answer: AdyenAnswer<Transfer>; number: number }> {
    const { tries, client } = this.parts;
    const attempt = await tries.current(name);
    await tries.sending(name, attempt);
    return { answer: await client.transfer(body, keyOfTry(name, attempt), call?.signal), number: attempt.number };
  }

  /**
   * Money is out: a rejected key is no refusal of the payout, and keeps all others back as well. If the key was accepted a moment ago and
   * may not make this call, the call is forbidden for this account: only this payout waits.
   */
  private notDone(round: Round, { status, problem }: Rejected): SubmitAnswer {
    if (isForbidden(status)) return later(this.factOf(round));
    const code = codeOf(problem);
    return isAboutUs(status) ? putOff(`Adyen does not know us: ${code}`) : unmapped('error', code);
  }

  private factOf(round: Round): SubmitAnswer {
    return factOf(round, this.parts.clock.now());
  }
}

/**
 * The key of a call follows from the first transfer of its round, and from how many came to nothing before it, by Adyen's books: it is the
 * same in all processes, whatever round the core is in. With the key of the leg, money might be pulled back twice while a list lags.
 */
function nameOf({ fund, banks, backs }: Round, what: 'bank' | 'back'): string {
  const made = what === 'bank' ? banks : backs;
  return made.length === 0 ? `${fund.id}.${what}` : `${fund.id}.${what}.${made.length + 1}`;
}

/** The last call is made, and not through. */
const isUnderWay = ({ fund, backs }: Round): boolean => !isBooked(fund) || backs.some((back) => !isOff(back));

const withBank = (round: Round, bank: Transfer): Round => ({
  ...round,
  banks: [bank, ...round.banks],
  wasPaid: round.wasPaid || isBooked(bank),
});

/** Nothing was sent, and money is out. */
const asDelay = (answer: SubmitAnswer): SubmitAnswer => (answer.kind === 'refused' ? putOff(answer.reason) : answer);

/** The same call, later. */
const later = (fact: SubmitAnswer): SubmitAnswer =>
  fact.kind === 'accepted' && fact.next ? { ...fact, next: { ...fact.next, afterSeconds: LATER_SECONDS } } : fact;
