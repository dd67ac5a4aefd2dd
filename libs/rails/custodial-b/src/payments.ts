/** The first call of a payout, and what became of it. */
import {
  type Clock,
  keyOfTry,
  type LookupAnswer,
  type LookupFact,
  mayBeOut,
  type NotNow,
  ofAllNames,
  providerAmount,
  type RailCall,
  type RailOrder,
  type RailStore,
  type Refused,
  type SubmitAnswer,
  type Tries,
  type Try,
  type Unknown,
} from '#libs/rail-kit';
import type { AdyenClient } from './adyen.client';
import type { Problem } from './adyen.shapes';
import type { AdyenSight, Seen, Unseen } from './adyen.sight';
import { codeOf, factOf, isAboutUs, notNow, refusalOf, stateOf, unanswered } from './custodial-b.mapping';
import { type Destination, destinationFor } from './destination';
import { markOf } from './movements';
import { referenceOf } from './references';
import type { Round } from './round';

const NO_AMOUNT: Refused = { kind: 'refused', failure: 'permanent', reason: 'no amount that Adyen can count' };
const NO_ACCOUNT: Refused = { kind: 'refused', failure: 'account', reason: 'the payee has no account at Adyen' };

const IN_DOUBT = { kind: 'unknown', detail: 'sent a moment ago, and Adyen does not list it' } as const;
const LATER_NOT_SHOWN: SubmitAnswer = { kind: 'unknown', detail: 'Adyen does not show a later try that may be out' };

export interface PaymentParts {
  client: AdyenClient;
  tries: Tries;
  sight: AdyenSight;
  store: RailStore;
  clock: Clock;
  /** The platform's own, from which payees are paid. */
  balanceAccount: string;
  /** The deployment that made the transfers, if several share the account. */
  deployment: string;
}

type Order = RailOrder & { accountId: string };

interface Attempt {
  /** Of the round. */
  number: number;
  reference: string;
  call: Try;
}

export class Payments {
  constructor(private readonly parts: PaymentParts) {}

  /** Adyen is asked before it is told: whatever we have forgotten, a transfer that is there is not made once more. */
  async submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    if (order.accountId === null) return NO_ACCOUNT;
    return countable(order) ? this.asked({ ...order, accountId: order.accountId }, call) : NO_AMOUNT;
  }

  private async asked(order: Order, call?: RailCall): Promise<SubmitAnswer> {
    const { tries, sight, clock } = this.parts;
    const seen = await sight.look(order, call);
    // If Adyen shows it as under way, it may be just that: nothing is sent beside it.
    if (seen.kind === 'seen' && factOf(seen.round, clock.now()).kind !== 'refused')
      return (await toldOf(this.parts, order, seen, { as: factOf, call })) ?? LATER_NOT_SHOWN;
    const number = seen.kind === 'seen' ? seen.next : 1;
    const reference = referenceOf(order.railKey, number);
    const attempt = { number, reference, call: await tries.current(reference) };
    if (seen.kind !== 'seen' && seen.kind !== 'nothing') return notLooked(attempt, seen);
    return this.begin(order, attempt, call);
  }

  async lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    const seen = await this.parts.sight.look(order, call);
    if (seen.kind !== 'seen' && seen.kind !== 'nothing') return unseen(seen);
    const told = seen.kind === 'seen' ? await toldOf(this.parts, order, seen, { as: stateOf, call }) : null;
    if (told) return told;
    const next = seen.kind === 'seen' ? seen.next : 1;
    if (call?.movesNothing === 'at_rest' && (await this.isInDoubt(order, next))) return IN_DOUBT;
    // A payout at rest has waited long enough for Adyen to list all there is.
    const isWaitedFor = seen.kind === 'nothing' || call?.movesNothing === undefined;
    return isWaitedFor ? { kind: 'never_seen' } : stateOf(seen.round, this.parts.clock.now());
  }

  private async isInDoubt({ railKey }: RailOrder, round: number): Promise<boolean> {
    const { tries } = this.parts;
    return tries.isInDoubt(await tries.read(referenceOf(railKey, round)));
  }

  private async begin(
    order: Order,
    { number, reference, call: attempt }: Attempt,
    call?: RailCall,
  ): Promise<SubmitAnswer> {
    const destination = await destinationFor(order, reference, this.parts, call);
    if (isFact(destination)) return destination;
    const { balanceAccountId } = destination;
    const { tries, client, sight, clock, balanceAccount, deployment } = this.parts;
    await sight.begins(order);
    await tries.sending(reference, attempt);
    const body = {
      ...{ amount: { value: order.amountCents, currency: order.currency }, balanceAccountId: balanceAccount },
      ...{ category: 'internal', reference, counterparty: { balanceAccountId }, ...markOf(deployment) },
    };
    const answer = await client.transfer(body, keyOfTry(reference, attempt), call?.signal);
    if (answer.kind === 'rejected') return this.turnedAway(reference, attempt, answer.status, answer.problem);
    if (answer.kind !== 'done') return unanswered(answer);
    await sight.isThere(order, number);
    const round = { number, fund: answer.found, banks: [], backs: [], wasPaid: false, notPaidOut: null };
    return atOnce(factOf(round, clock.now()));
  }

  /** A key that Adyen looked at is answered as it was the first time. With credentials that count no more it looks at none. */
  private async turnedAway(
    reference: string,
    attempt: Try,
    status: number,
    problem: Problem,
  ): Promise<Refused | Unknown> {
    const { tries } = this.parts;
    const said = refusalOf(status, problem);
    if (said.kind === 'unknown') return said;
    if (said.failure !== 'credentials') {
      await tries.isOver(reference, attempt.number);
      return said;
    }
    const isSure = await tries.wasTurnedAway(reference, attempt);
    return isSure ? said : { kind: 'unknown', detail: `${said.reason}, and sent before with an answer that was lost` };
  }
}

/**
 * What Adyen shows of it; null if that says nothing of a later round, which may not be listed yet. A round is over before the next one is
 * sent: if Adyen shows it as out all the same, both may be, and what it comes to is told once Adyen lists all there is.
 */
export async function toldOf<Told extends LookupFact>(
  { tries, sight, clock }: Pick<PaymentParts, 'tries' | 'sight' | 'clock'>,
  order: RailOrder,
  { round, next }: Extract<Seen, { kind: 'seen' }>,
  { as, call }: { as: (round: Round, now: Date) => Told; call: RailCall | undefined },
): Promise<Told | Unknown | NotNow | null> {
  const told = as(round, clock.now());
  const attempt = await tries.read(referenceOf(order.railKey, next));
  if (!mayBeOut(attempt)) return told;
  if (told.kind === 'refused') return null;
  const later = await sight.another(order, next, call);
  if (later.kind === 'seen') return ofAllNames(order, as(later.round, clock.now()), [told]) as Told;
  if (tries.isInDoubt(attempt)) return null;
  return later.kind === 'nothing' ? told : unseen(later);
}

/** The traits keep other amounts away. */
const countable = (order: RailOrder): boolean => (providerAmount(order)?.units ?? 0n) > 0n;

/** Nothing was sent this time. */
function notLooked({ call: { sent, turnedAway } }: Attempt, seen: Unseen): SubmitAnswer {
  if (seen.kind === 'unsure') return { kind: 'unknown', detail: seen.detail };
  if (seen.kind === 'later') return notNow(seen.afterSeconds);
  // Not "not now": one question without an answer does not close the lane of all others.
  if (seen.kind === 'unclear') return unanswered(seen);
  if (sent !== turnedAway || !isAboutUs(seen.status)) return unanswered(seen);
  return { kind: 'refused', failure: 'credentials', reason: `Adyen does not know us: ${codeOf(seen.problem)}` };
}

/** It is booked in a moment, and the next call looks. */
const atOnce = (fact: SubmitAnswer): SubmitAnswer =>
  fact.kind === 'accepted' && fact.next ? { ...fact, next: { leg: fact.next.leg } } : fact;

const isFact = (found: Destination | SubmitAnswer): found is SubmitAnswer => 'kind' in found;

export const unseen = (seen: Unseen): Unknown | NotNow =>
  seen.kind === 'unsure' ? { ...seen, kind: 'unknown' } : unanswered(seen);
