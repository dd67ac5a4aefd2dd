/** Adyen's words in ours. Only an explicit yes or no ends a payout: a status that stands in no table is unknown. */
import {
  type Accepted,
  codeTold,
  type Echo,
  type LookupFact,
  type NotNow,
  ofAllNames,
  ourAmount,
  type Refused,
  type SubmitFact,
  type Unknown,
} from '#libs/rail-kit';
import type { AdyenAnswer } from './adyen.client';
import type { Problem, Transfer } from './adyen.shapes';
import { cameBack, creditedAt, isBooked, isOff, livingOf, type NotPaidOut, type Round } from './round';

/** Under way: Adyen works on it, waits for somebody, or has reserved the money. */
const UNDER_WAY = new Set([
  ...['received', 'authorised', 'pending', 'pendingApproval', 'pendingExecution', 'approvalPending', 'bookingPending'],
  ...['internalTransferPending', 'bankTransferPending'],
]);

/** Why a transfer was refused or failed, if it is no use to try again as it is. Of all other reasons: later. */
const REASONS = new Map<string, Refused['failure']>([
  ['notEnoughBalance', 'funding'],
  ['accountHierarchyNotActive', 'account'],
  ['balanceAccountTemporarilyBlockedByTransactionRule', 'account'],
  ...(
    [
      ...['counterpartyAccountBlocked', 'counterpartyAccountClosed', 'counterpartyAccountNotFound', 'invalidAccount'],
      ...['counterpartyAddressRequired', 'transferInstrumentDoesNotExist', 'refusedByCounterpartyBank', 'declined'],
      ...['amountLimitExceeded', 'invalidAmount', 'declinedByTransactionRule', 'invalidToAccount', 'notSupported'],
    ] as const
  ).map((reason): [string, Refused['failure']] => [reason, 'permanent']),
]);

/** Errors that mean the payee's account: it is not there, or not active. */
const OF_ACCOUNTS = new Set(['00_404', '30_004', '30_005', '30_012', '30_112', '32_002']);
/** The same key at the same moment: whether it is done is for the other call to say. */
const IN_PROGRESS = new Set(['704']);

const TRIED_AGAIN_SECONDS = 30;
/** Money that is not in the payee's account, or not any more. */
export const LATER_SECONDS = 3_600;
/** Money that does not leave the payee's account for the bank within a week never does. */
const LEAVES_WITHIN_MS = 7 * 86_400_000;

/** How a payout ended, as far as Adyen shows it. */
export function stateOf(round: Round, now: Date): LookupFact {
  const { fund, banks, backs } = round;
  const told = toldOf(fund);
  if (!told) return { kind: 'unknown', detail: 'Adyen tells no amount that can be read' };
  const [[living, ...others], back] = [onTheirWayOrThere(banks), livingOf(backs)];
  if (isOff(fund)) return living ? CONTRADICTION : refusedBy(fund);
  if (!isKnown(fund)) return unmapped('transfer status', fund.status);
  if (back && !isOff(back)) {
    if (living) return TWO_WAYS;
    return pulledBack(round, back, told);
  }
  if (!isBooked(fund)) return { ...told, next: { leg: 'payout', afterSeconds: TRIED_AGAIN_SECONDS } };
  return living ? atTheBanks([living, ...others], fund, told) : comingBack(round, told, now);
}

/** At the bank, or on the way there. */
const onTheirWayOrThere = (banks: readonly Transfer[]): Transfer[] =>
  banks.filter((bank) => !isOff(bank) && bank.status !== 'returned');

/** To send it again could pay twice. */
const CONTRADICTION: Unknown = {
  ...{ kind: 'unknown', contradicts: true },
  detail: 'Adyen shows money at the bank of a first transfer that came to nothing',
};
const TWO_WAYS: Unknown = {
  ...{ kind: 'unknown', contradicts: true },
  detail: 'Adyen shows money on its way to the bank and back at once',
};
/** Of a later call, which was asked to move what the first one did: less or more of it is none of the answers that there are. */
const OTHER_SUM: Unknown = { kind: 'unknown', detail: 'Adyen shows another sum than it was asked to move' };
type Money = Transfer['amount'];
const isSame = (one: Money, other: Money): boolean => one.value === other.value && one.currency === other.currency;

const isKnown = (transfer: Transfer): boolean => isBooked(transfer) || UNDER_WAY.has(transfer.status);

/** More than one if Adyen takes back that another came to nothing: told as what all come to, as far as it can be read. */
function atTheBanks(banks: Transfer[], fund: Transfer, told: Told): LookupFact {
  const [last = null, ...earlier] = banks.map((bank) => atTheBank(bank, fund, told));
  const counted = earlier.map((each) => (each.kind === 'unknown' ? { ...each, contradicts: true as const } : each));
  return ofAllNames(told.echo, last, counted) as LookupFact;
}

function atTheBank(bank: Transfer, { amount }: Transfer, told: Told): LookupFact {
  if (!isSame(bank.amount, amount)) return OTHER_SUM;
  if (isBooked(bank)) return { ...told, kind: 'settled', settledAt: creditedAt(bank) };
  return isKnown(bank) ? told : unmapped('transfer status', bank.status);
}

/** To a call: what came back was paid, and that it came back is told by the next look-up. */
export function factOf(round: Round, now: Date): SubmitFact {
  const state = stateOf(round, now);
  if (state.kind === 'never_seen') return { kind: 'unknown', detail: 'Adyen does not show it' };
  if (state.kind !== 'bounced') return state;
  const told = toldOf(round.fund);
  if (!told) return { kind: 'unknown', detail: 'Adyen tells no amount that can be read' };
  const bank = livingOf(round.banks);
  return { ...told, kind: 'settled', settledAt: bank ? creditedAt(bank) : null };
}

/** Nothing is on its way to the bank, and nothing has been pulled back. */
function comingBack({ banks, fund, wasPaid, notPaidOut }: Round, told: Told, now: Date): LookupFact {
  const pullBack = { ...told, next: { leg: 'pull_back' } };
  const bank = livingOf(banks);
  if (wasPaid) return bank ? (paidBack(bank, fund) ?? pullBack) : pullBack;
  if (notPaidOut) return pullBack;
  if (!bank) return { ...told, next: { leg: 'payout' } };
  if (bank.reason !== 'notEnoughBalance' || isTooOld(fund, now)) return pullBack;
  return { ...told, next: { leg: 'payout', afterSeconds: LATER_SECONDS } };
}

/** The amount less the bank's fee; if the bank kept all of it, there is nothing to pull back. */
function paidBack(bank: Transfer, fund: Transfer): LookupFact | null {
  if (!isSame(bank.amount, fund.amount)) return OTHER_SUM;
  const back = cameBack(bank);
  if (back < 0 || back > fund.amount.value)
    return { kind: 'unknown', detail: 'Adyen tells no return that can be read' };
  return back === 0 ? { kind: 'bounced', feeCents: feeOf(bank, fund) } : null;
}

function pulledBack(round: Round, back: Transfer, told: Told): LookupFact {
  if (!isSame(back.amount, { ...round.fund.amount, value: toPullBack(round) })) return OTHER_SUM;
  if (UNDER_WAY.has(back.status)) return { ...told, next: { leg: 'pull_back', afterSeconds: TRIED_AGAIN_SECONDS } };
  if (!isBooked(back)) return unmapped('transfer status', back.status);
  const bank = livingOf(round.banks);
  if (round.wasPaid && bank) return { kind: 'bounced', feeCents: feeOf(bank, round.fund) };
  if (round.notPaidOut) return { kind: 'refused', ...round.notPaidOut };
  return bank ? refusedBy(bank, 'transient') : { kind: 'refused', ...TAKEN_BACK };
}

/** All of it, or what the bank did not keep. */
export function toPullBack({ fund, banks, wasPaid }: Round): number {
  const bank = livingOf(banks);
  return wasPaid && bank ? cameBack(bank) : fund.amount.value;
}

/** In our minor units: Adyen counts all currencies that this rail pays as ISO 4217 does. */
const feeOf = (bank: Transfer, { amount }: Transfer): number => amount.value - cameBack(bank);

/** Of a transfer from the payee's account a lack of funds says nothing of ours: it is another `failure` then. */
function refusedBy({ status, reason = 'no_reason' }: Transfer, lacking: Refused['failure'] = 'funding'): Refused {
  const failure = REASONS.get(reason) ?? 'transient';
  const detail = `Adyen says ${codeTold(status)}: ${codeTold(reason)}`;
  return { kind: 'refused', failure: failure === 'funding' ? lacking : failure, reason: detail };
}

const TAKEN_BACK: NotPaidOut = { failure: 'transient', reason: 'the money was taken back at Adyen' };

export const isTooOld = ({ createdAt }: Transfer, now: Date): boolean =>
  createdAt !== undefined && now.getTime() - Date.parse(createdAt) > LEAVES_WITHIN_MS;

type Told = Accepted & { echo: Echo };

/** On its way, under the name of the first transfer for as long as it lives. */
function toldOf({ id, amount: { value, currency } }: Transfer): Told | null {
  const amountCents = /^[A-Z]{3}$/.test(currency) && value >= 0 ? ourAmount(BigInt(value), currency) : null;
  return amountCents === null ? null : { kind: 'accepted', providerRef: id, echo: { amountCents, currency } };
}

/** A first transfer that was turned away. */
export function refusalOf(status: number, problem: Problem): Refused | Unknown {
  const code = codeOf(problem);
  const reason = `Adyen did not take the transfer: ${code}`;
  if (isAboutUs(status)) return { kind: 'refused', failure: 'credentials', reason };
  const said = notPaidOutBy(status, problem);
  return said ? { kind: 'refused', ...said, reason } : unmapped('error', code);
}

/** One to the bank that was turned away; null if that says nothing for good. */
export function notPaidOutBy(status: number, problem: Problem): NotPaidOut | null {
  if (!isDefiniteNo(status, problem)) return null;
  const failure = OF_ACCOUNTS.has(problem.errorCode ?? '') ? 'account' : 'permanent';
  return { failure, reason: `Adyen did not take the transfer to the bank: ${codeOf(problem)}` };
}

/** Adyen looked at it, did nothing, and would say so again under this key. */
export const isDefiniteNo = (status: number, { errorCode = '' }: Problem): boolean =>
  status === 422 && !IN_PROGRESS.has(errorCode);

/** The key is not good, or may not do that. */
export const isAboutUs = (status: number): boolean => status === 401 || status === 403;

/** The key is good, and may not do that; or not for this account. */
export const isForbidden = (status: number): boolean => status === 403;

/** Not there, or of another platform: Adyen says the same of both. */
export const isUnknownAccount = (status: number, { errorCode = '' }: Problem): boolean =>
  status === 404 || (status === 422 && ['00_404', '30_012', '30_112', '32_002'].includes(errorCode));

export const codeOf = ({ errorCode, status }: Problem): string => codeTold(errorCode ?? String(status));

export function notNow(afterSeconds: number): NotNow {
  return { kind: 'not_now', afterSeconds, detail: `Adyen wants a rest of ${afterSeconds} seconds` };
}

/** A question that was not answered: what was sent is not known, and what was not sent can wait. */
export function unanswered(answer: Exclude<AdyenAnswer<never>, { kind: 'done' }>): Unknown | NotNow {
  if (answer.kind === 'later') return notNow(answer.afterSeconds);
  const said = answer.kind === 'rejected' ? codeOf(answer.problem) : answer.detail;
  return { kind: 'unknown', detail: `Adyen did not say: ${said}` };
}

export const putOff = (detail: string): NotNow => ({ kind: 'not_now', afterSeconds: TRIED_AGAIN_SECONDS, detail });

export const unmapped = (what: string, word: string): Unknown => ({
  kind: 'unknown',
  detail: `${what} '${codeTold(word)}' is not mapped`,
});
