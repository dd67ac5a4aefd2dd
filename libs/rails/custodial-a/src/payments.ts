/** The first call of a payout, and what became of it. */
import {
  type Clock,
  keyOfTry,
  type LookupAnswer,
  type LookupFact,
  mayBeOut,
  ofAllNames,
  providerAmount,
  providerDigits,
  type RailCall,
  type RailOrder,
  type Refused,
  type SubmitAnswer,
  type Tries,
  type Try,
} from '#libs/rail-kit';
import { AMOUNTS } from './amounts';
import {
  codeOf,
  factOf,
  hasOtherWords,
  isAboutUs,
  notNow,
  refusalOf,
  stateOf,
  unanswered,
} from './custodial-a.mapping';
import { isUnknownAccount } from './standing';
import type { StripeClient } from './stripe.client';
import type { Problem } from './stripe.shapes';
import type { Seen, Sight, StripeSight } from './stripe.sight';

const NO_ACCOUNT: Refused = { kind: 'refused', failure: 'account', reason: 'the payee has no account at Stripe' };
const NO_AMOUNT: Refused = { kind: 'refused', failure: 'permanent', reason: 'no amount that Stripe can count' };

const IN_DOUBT = { kind: 'unknown', detail: 'sent a moment ago, and Stripe does not list it' } as const;
const LATER_NOT_SHOWN: SubmitAnswer = { kind: 'unknown', detail: 'Stripe does not show a later try that may be out' };

/** Nobody here knows what came of those words: by the time Stripe lists it for certain, it is looked for, and then the next key is used. */
const OTHER_WORDS: SubmitAnswer = { kind: 'unknown', detail: 'Stripe knows its key with other words under it' };

export interface PaymentParts {
  client: StripeClient;
  tries: Tries;
  sight: StripeSight;
  clock: Clock;
  /** The deployment that made the transfers, if several share the account. */
  deployment: string;
}

type Unseen = Exclude<Seen, { kind: 'seen' | 'nothing' }>;

export class Payments {
  constructor(private readonly parts: PaymentParts) {}

  /** Stripe is asked before it is told: whatever we have forgotten, a transfer that is there is not made once more. */
  async submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    const { tries, sight, deployment } = this.parts;
    const form = transferOf(order, deployment);
    if (isRefusal(form)) return form;
    const attempt = await tries.current(order.railKey);
    const seen = await sight.look(order, call?.signal);
    if (seen.kind === 'seen') {
      const fact = factOf(seen.sight);
      const isCurrent = isOfThisTry(seen.sight, attempt) && !(await this.isOfBefore(order, seen.sight));
      if (isCurrent) return this.decided(order, seen.sight, fact);
      // If Stripe shows a try that was over as under way or paid, it may be just that: nothing is sent beside it.
      if (fact.kind !== 'refused') return LATER_NOT_SHOWN;
    } else if (seen.kind !== 'nothing') return this.notLooked(attempt, seen);
    return this.send(order, attempt, form, call);
  }

  async lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    const seen = await this.parts.sight.look(order, call?.signal);
    if (seen.kind !== 'seen' && seen.kind !== 'nothing') return besideEarlier(order, seen);
    const isShown = seen.kind === 'seen' && !(await this.isOfBefore(order, seen.sight));
    if (isShown) return this.decided(order, seen.sight, stateOf(seen.sight));
    if (call?.movesNothing === 'at_rest' && (await this.isInDoubt(order))) return IN_DOUBT;
    // A payout at rest has waited long enough for Stripe to list all there is.
    const isWaitedFor = seen.kind === 'nothing' || call?.movesNothing === undefined;
    return isWaitedFor ? { kind: 'never_seen' } : this.decided(order, seen.sight, stateOf(seen.sight));
  }

  private async isInDoubt({ railKey }: RailOrder): Promise<boolean> {
    const { tries } = this.parts;
    return tries.isInDoubt(await tries.read(railKey));
  }

  /**
   * A try is over before the next one is sent: what it came to says nothing of that one, which Stripe may not list yet. If it is out all
   * the same, it is what there is of the payout once Stripe lists all there is.
   */
  async isOfBefore({ railKey }: RailOrder, sight: Sight): Promise<boolean> {
    const { tries } = this.parts;
    const attempt = await tries.read(railKey);
    if (attempt === null || attempt.number <= sight.number) return false;
    return stateOf(sight).kind === 'refused' ? mayBeOut(attempt) : tries.isInDoubt(attempt);
  }

  /** Nothing is out any more: what is sent from now on is another try. */
  async decided<Fact extends LookupFact>({ railKey }: RailOrder, { number }: Sight, fact: Fact): Promise<Fact> {
    if (fact.kind === 'refused') await this.parts.tries.isOver(railKey, number);
    return fact;
  }

  private async send(
    order: RailOrder,
    attempt: Try,
    form: Record<string, string>,
    call?: RailCall,
  ): Promise<SubmitAnswer> {
    const { tries, client } = this.parts;
    const { railKey } = order;
    const { number } = attempt;
    if (tries.waitsForOtherWords(attempt)) return OTHER_WORDS;
    await tries.sending(railKey, attempt);
    const numbered = { ...form, 'metadata[try]': String(number) };
    const answer = await client.transfer(numbered, keyOfTry(railKey, attempt), call?.signal);
    if (answer.kind === 'done')
      return factOf({ transfer: answer.found, number, payout: null, wasPaid: false, notPaidOut: null });
    if (answer.kind === 'rejected') return this.turnedAway(order, attempt, answer.status, answer.problem);
    return unanswered(answer);
  }

  /** A key that Stripe looked at is answered as it was the first time. With credentials that count no more it looks at none. */
  private async turnedAway(
    { railKey }: RailOrder,
    attempt: Try,
    status: number,
    problem: Problem,
  ): Promise<SubmitAnswer> {
    const { tries } = this.parts;
    if (hasOtherWords(status, problem)) {
      await tries.hasOtherWords(railKey, attempt);
      return OTHER_WORDS;
    }
    const said = refusalOf(status, problem);
    if (said.kind === 'unknown') return said;
    if (said.failure !== 'credentials') {
      await tries.isOver(railKey, attempt.number);
      return said;
    }
    const isSure = await tries.wasTurnedAway(railKey, attempt);
    return isSure ? said : { kind: 'unknown', detail: `${said.reason}, and sent before with an answer that was lost` };
  }

  /** Nothing was sent this time. */
  private notLooked(attempt: Try, seen: Unseen): SubmitAnswer {
    if (seen.kind === 'unsure') return unseen(seen);
    if (seen.kind === 'later') return notNow(seen.afterSeconds);
    // Not "not now": one question without an answer does not close the lane of all others.
    if (seen.kind === 'unclear') return unanswered(seen);
    const isUnsent = attempt.sent === attempt.turnedAway;
    const isOurs = isAboutUs(seen.status) && !isUnknownAccount(seen.status, seen.problem);
    if (!isUnsent || !isOurs) return unanswered(seen);
    const reason = `Stripe does not know us: ${codeOf(seen.problem.error)}`;
    return { kind: 'refused', failure: 'credentials', reason };
  }
}

/** One that was made for an earlier try, and taken back since, is over. To an account that is closed to us there is no other. */
const isOfThisTry = ({ transfer, number, isClosed }: Sight, attempt: Try): boolean =>
  !transfer.reversed || number >= attempt.number || isClosed === true;

const isRefusal = (form: Record<string, string> | Refused): form is Refused => 'kind' in form;

/** Also what there is of the last transfer, if money of an earlier one is beside it. */
const besideEarlier = (order: RailOrder, seen: Unseen): LookupAnswer =>
  seen.kind === 'unsure' && seen.last ? ofAllNames(order, stateOf(seen.last), [unseen(seen)]) : unseen(seen);

export function unseen(seen: Unseen): LookupAnswer & SubmitAnswer {
  return seen.kind === 'unsure' ? { ...seen, kind: 'unknown' } : unanswered(seen);
}

/** No id of ours: the key follows from what the caller sent, and outlives a database that is restored. */
function transferOf(
  { railKey, amountCents, currency, accountId }: RailOrder,
  deployment: string,
): Record<string, string> | Refused {
  if (accountId === null) return NO_ACCOUNT;
  const digits = providerDigits({ amounts: AMOUNTS }, currency);
  const amount = providerAmount({ amountCents, currency }, digits)?.units;
  // The traits keep such an amount away; nothing was sent.
  if (amount === undefined || amount === 0n) return NO_AMOUNT;
  return {
    ...{ amount: String(amount), currency: currency.toLowerCase(), destination: accountId, transfer_group: railKey },
    ...{ 'metadata[rail_key]': railKey, 'metadata[deployment]': deployment },
  };
}
