/** The calls after the first one: to the payee's bank, or back to us if the bank, or Stripe, will not have it. */
import {
  IN_DOUBT_FOR_MS,
  keyOfTry,
  type RailCall,
  type RailLeg,
  type RailOrder,
  type SubmitAnswer,
  type Try,
} from '#libs/rail-kit';
import {
  codeOf,
  factOf,
  hasOtherWords,
  isAboutUs,
  isForbidden,
  LATER_SECONDS,
  lacksFunds,
  notPaidOutBy,
  putOff,
  TRIED_AGAIN_SECONDS,
  unanswered,
  unmapped,
} from './custodial-a.mapping';
import { descriptorOf } from './descriptor';
import { type PaymentParts, type Payments, unseen } from './payments';
import type { StripeAnswer } from './stripe.client';
import type { Sight } from './stripe.sight';

/** Money that came from abroad is let out after a day. What is not let out after a week never is. */
const LET_OUT_WITHIN_SECONDS = 7 * 86_400;
const NEVER_LET_OUT = {
  failure: 'transient',
  reason: 'Stripe did not let it out of the account of its payee',
} as const;

/** By then Stripe lists what came of other words that it knows the key with. */
const OTHER_WORDS_SECONDS = IN_DOUBT_FOR_MS / 1000 + 60;

const NOT_SHOWN: SubmitAnswer = { kind: 'unknown', detail: 'Stripe does not show the transfer' };

type Rejected = Extract<StripeAnswer<never>, { kind: 'rejected' }>;

export class Legs {
  constructor(
    private readonly parts: PaymentParts,
    private readonly payments: Payments,
  ) {}

  /** Goes by what Stripe shows, and not by what we were told to do: another process may have done it. */
  async advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    const seen = await this.parts.sight.look(order, call?.signal);
    if (seen.kind === 'nothing') return NOT_SHOWN;
    if (seen.kind !== 'seen') return unseen(seen);
    const { sight } = seen;
    if (await this.payments.isOfBefore(order, sight)) return NOT_SHOWN;
    const fact = factOf(sight);
    const next = fact.kind === 'accepted' ? fact.next?.leg : undefined;
    if (next !== leg.name) return this.payments.decided(order, sight, fact);
    return leg.name === 'payout' ? this.payOut(order, leg, sight, call) : this.pullBack(order, leg, sight, call);
  }

  /**
   * One transfer, one key: if the core starts over while that transfer lives, its own key is another one, and Stripe may not list the first
   * payout yet. The key is that of a leg, and not made of the transfer's id, because a process of an earlier version knows no other.
   */
  private async payOut(order: RailOrder, leg: RailLeg, sight: Sight, call?: RailCall): Promise<SubmitAnswer> {
    const { tries, client } = this.parts;
    const { id, amount, currency, destination } = sight.transfer;
    const key = await this.parts.sight.payoutKey(sight.transfer, leg.key);
    const attempt = await tries.current(key);
    if (tries.waitsForOtherWords(attempt)) return later(sight, OTHER_WORDS_SECONDS);
    await tries.sending(key, attempt);
    const form = {
      ...{ amount: String(amount), currency, ...descriptorOf(order.payerName) },
      ...{ 'metadata[rail_key]': order.railKey, 'metadata[transfer]': id },
    };
    const answer = await client.payOut(destination, form, keyOfTry(key, attempt), call?.signal);
    if (answer.kind === 'done')
      return factOf({ ...sight, payout: answer.found, wasPaid: await this.parts.sight.notedPaid(answer.found) });
    return answer.kind === 'rejected' ? this.notPaidOut(sight, key, attempt, answer) : unanswered(answer);
  }

  /**
   * Once the money is to be pulled back the key does not change any more: a process that still sends it gets the same refusal, and nothing
   * is paid out that is pulled back at the same time. Other words under it may be those of an earlier transfer, which the core came to with the
   * same key before it was restored; or of this one, with another name for the statement, and then Stripe may have paid it out.
   */
  private async notPaidOut(sight: Sight, key: string, attempt: Try, said: Rejected): Promise<SubmitAnswer> {
    const { tries } = this.parts;
    if (hasOtherWords(said.status, said.problem)) {
      await tries.hasOtherWords(key, attempt);
      return later(sight, OTHER_WORDS_SECONDS);
    }
    const waits = lacksFunds(said.problem);
    if (waits && !this.isTooOld(sight)) {
      await tries.isOver(key, attempt.number);
      return later(sight);
    }
    const why = waits ? NEVER_LET_OUT : notPaidOutBy(said.problem);
    if (!why) return notDone(sight, said);
    return factOf({ ...sight, notPaidOut: await this.parts.sight.notPaidOut(sight.transfer, why) });
  }

  private async pullBack(order: RailOrder, { key }: RailLeg, sight: Sight, call?: RailCall): Promise<SubmitAnswer> {
    const { tries, client } = this.parts;
    const attempt = await tries.current(key);
    await tries.sending(key, attempt);
    const form = { 'metadata[rail_key]': order.railKey };
    const answer = await client.reverse(sight.transfer.id, form, keyOfTry(key, attempt), call?.signal);
    if (answer.kind === 'done') {
      const back: Sight = { ...sight, transfer: { ...sight.transfer, reversed: true } };
      return this.payments.decided(order, back, factOf(back));
    }
    if (answer.kind !== 'rejected') return unanswered(answer);
    const isOfAnother = hasOtherWords(answer.status, answer.problem);
    if (!isOfAnother && !lacksFunds(answer.problem)) return notDone(sight, answer);
    // The account owes Stripe something, or the key is that of an earlier transfer. Nobody calls it refused before the money is back, and it comes
    // back once, whichever key it is tried under.
    await tries.isOver(key, attempt.number);
    return later(sight, isOfAnother ? TRIED_AGAIN_SECONDS : LATER_SECONDS);
  }

  private isTooOld({ transfer }: Sight): boolean {
    return this.parts.clock.now().getTime() - transfer.created * 1000 > LET_OUT_WITHIN_SECONDS * 1000;
  }
}

/**
 * Money is out: a rejected key is no refusal of the payout, and keeps all others back as well. If the key was accepted a moment ago and
 * may not make this call, the call is forbidden for this account: only this payout waits.
 */
function notDone(sight: Sight, { status, problem }: Rejected): SubmitAnswer {
  if (isForbidden(status)) return later(sight);
  const code = codeOf(problem.error);
  return isAboutUs(status) ? putOff(`Stripe does not know us: ${code}`) : unmapped('error', code);
}

/** The same call, later. */
function later(sight: Sight, afterSeconds = LATER_SECONDS): SubmitAnswer {
  const fact = factOf(sight);
  return fact.kind === 'accepted' && fact.next ? { ...fact, next: { ...fact.next, afterSeconds } } : fact;
}
