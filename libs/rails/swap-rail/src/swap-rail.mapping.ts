/** Circle's words in ours. Only an explicit yes or no ends a payout: what stands in no table is unknown. */
import {
  type BegunLeg,
  type Echo,
  type NotNow,
  ofAllNames,
  type RailFee,
  type Refused,
  type SubmitFact,
  type Unknown,
} from '#libs/rail-kit';
import { centsOf, feeCentsOf } from './amounts';
import type { CircleAnswer } from './circle.client';
import type { Problem, Transaction } from './circle.shapes';
import type { Sight } from './circle.sight';
import { isSameAddress } from './same';

/** The call that the payee begins. */
export const DRAIN = 'drain';

const ON_ITS_WAY = ['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'STUCK', 'CONFIRMED'];
/** Nothing moved, and nothing will. */
const CAME_TO_NOTHING = ['FAILED', 'DENIED', 'CANCELLED'];

/** Codes of a transfer that Circle turned away: nothing was made of it. */
const SHORT = [155201, 155204, 155205, 155258, 177003, 177004, 177019, 177020, 177021, 177022, 177025];
const AMOUNT = [155221, 155224, 156032];
const ADDRESS = [155219];
/** Keys, secrets, the treasury, the token, and who pays for gas: nothing is sent until somebody has set them right. */
const ABOUT_US = [
  ...[155501, 155509, 156001, 156002, 156006, 156007, 156013, 156016, 156019],
  ...[177018, 177301, 177601, 177604, 177605, 177606],
];
/** Of one wallet: what it sent before has to arrive first. */
const WAITS_ITS_TURN = [155264, 177026, 177303];

/** Where the payment lies between its first leg and its drain, in the state that Circle shows. */
export function stateOf(sight: Sight, tokenId: string, refused: BegunLeg['refused']): SubmitFact {
  const { leg } = sight;
  if (cameToNothing(leg)) return nothingOf(sight);
  const told = toldOf(sight, tokenId);
  if (!told) return { kind: 'unknown', detail: 'Circle tells no amount that can be read, or of another token' };
  if (ON_ITS_WAY.includes(leg.state)) return { kind: 'accepted', ...told };
  if (leg.state !== 'COMPLETE') return unmapped('transaction state', leg.state);
  const [drain, ...others] = sight.drains.filter(({ transaction }) => !cameToNothing(transaction));
  const back = backOf(sight);
  if (drain && back !== 'none') return WENT_BACK_TOO;
  if (drain) return drainedBy([drain, ...others], told);
  if (back === 'all') return { kind: 'refused', failure: 'expired', reason: 'it was taken back from the wallet' };
  if (back === 'unclear') return { kind: 'unknown', detail: 'Circle shows that some of it goes back' };
  const begins: BegunLeg = { leg: DRAIN, ...(refused ? { refused } : {}) };
  return { kind: 'awaiting_payee', ...told, claimUrl: null, begins };
}

/** More than one if Circle takes back that another came to nothing: told as what all come to. */
function drainedBy(drains: Sight['drains'], told: Told): SubmitFact {
  const [last = null, ...earlier] = drains.map(({ transaction }) => drained(transaction, told));
  return ofAllNames(told.echo, last, earlier) as SubmitFact;
}

function drained(transaction: Transaction, told: Told): SubmitFact {
  if (centsIn(transaction) !== told.echo.amountCents)
    return { kind: 'unknown', detail: 'Circle shows a drain of another amount' };
  if (ON_ITS_WAY.includes(transaction.state)) return { kind: 'claimed', ...told };
  if (transaction.state !== 'COMPLETE') return unmapped('transaction state', transaction.state);
  const { firstConfirmDate, updateDate } = transaction;
  return { kind: 'settled', ...told, settledAt: new Date(firstConfirmDate ?? updateDate) };
}

/** Nothing of this try is out, and nothing will be. */
export const isOver = (sight: Sight): boolean =>
  (cameToNothing(sight.leg) && !isDrained(sight)) || backOf(sight) === 'all';

const isDrained = ({ drains }: Sight): boolean => drains.some(({ transaction }) => !cameToNothing(transaction));

const nothingOf = (sight: Sight): SubmitFact => (isDrained(sight) ? CONTRADICTION : refusalOf(sight.leg));

/** To send it again could pay twice. */
const CONTRADICTION: Unknown = {
  ...{ kind: 'unknown', contradicts: true },
  detail: 'Circle shows a drain of a first leg that came to nothing',
};

const WENT_BACK_TOO: Unknown = {
  ...{ kind: 'unknown', contradicts: true },
  detail: 'Circle shows that what was drained goes back as well',
};

export const cameToNothing = ({ state }: Transaction): boolean => CAME_TO_NOTHING.includes(state);

function backOf({ backs, leg, place }: Sight): 'none' | 'all' | 'unclear' {
  const alive = backs.filter((back) => !cameToNothing(back));
  if (alive.length === 0) return 'none';
  const areThere = alive.every(({ state, destinationAddress = '' }) => {
    return state === 'COMPLETE' && isSameAddress(destinationAddress, place.address);
  });
  const sum = alive.reduce((total, back) => total + (centsIn(back) ?? Number.NaN), 0);
  return areThere && sum === centsIn(leg) ? 'all' : 'unclear';
}

interface Told {
  providerRef: string;
  echo: Echo;
  fee?: RailFee;
}

/** Under the name of the first leg for as long as it lives. What the blockchain costs is the operator's. */
function toldOf({ leg, drains }: Sight, tokenId: string): Told | null {
  const amountCents = centsIn(leg);
  if (amountCents === null || (leg.tokenId !== undefined && leg.tokenId !== tokenId)) return null;
  const feeCents = feeCentsOf(
    [leg, ...drains.map(({ transaction }) => transaction)].map((each) => each.networkFeeInUSD),
  );
  const fee = feeCents === null ? {} : { fee: { amountCents: feeCents, currency: 'USD' } };
  return { providerRef: leg.id, echo: { amountCents, currency: 'USD' }, ...fee };
}

function centsIn({ amounts = [] }: Transaction): number | null {
  const [amount, ...others] = amounts;
  return amount === undefined || others.length > 0 ? null : centsOf(amount);
}

/** Of a first leg that came to nothing. */
function refusalOf({ state, errorReason = '' }: Transaction): Refused {
  const reason = ['the transfer to the wallet came to nothing', state, short(errorReason)].filter(Boolean).join(': ');
  if (state === 'DENIED') return { kind: 'refused', failure: 'permanent', reason };
  return { kind: 'refused', failure: lacksFunds(errorReason) ? 'funding' : 'transient', reason };
}

/** Of what it pays with or of gas, or of what its paymaster may spend in a day. */
const lacksFunds = (errorReason: string): boolean =>
  errorReason.startsWith('INSUFFICIENT_') || /^PAYMASTER_.*_DAILY$/.test(errorReason);

/** Of a drain that came to nothing, for the payee. */
export const reasonFor = ({ state }: Transaction): string =>
  state === 'DENIED'
    ? 'This address was not let through. Enter another one.'
    : 'It could not be sent there, and lies in your wallet as before. Enter an address once more.';

/** A first leg that was turned away. */
export function firstLegRefused(status: number, problem: Problem): Refused | NotNow | Unknown {
  const reason = `Circle did not take the transfer: ${codeOf(problem)}`;
  if (isAboutUs(status, problem)) return { kind: 'refused', failure: 'credentials', reason };
  if (SHORT.includes(problem.code)) return { kind: 'refused', failure: 'funding', reason };
  if ([...AMOUNT, ...ADDRESS].includes(problem.code)) return { kind: 'refused', failure: 'permanent', reason };
  // The treasury is the wallet of all payouts: they wait together.
  return WAITS_ITS_TURN.includes(problem.code) ? putOff(reason) : unmapped('error', codeOf(problem));
}

/** A drain that was turned away: its address may be at fault, or nothing that its payee could change. null: nobody can tell. */
export function drainRefused(status: number, problem: Problem): 'address' | 'later' | 'credentials' | null {
  if (ADDRESS.includes(problem.code)) return 'address';
  if (isAboutWallet(problem)) return 'later';
  // Circle knew our key when it was asked a moment ago: what it forbids is this drain, and nobody else's.
  if (status === 403 && !ABOUT_US.includes(problem.code)) return 'later';
  if (isAboutUs(status, problem)) return 'credentials';
  return [...SHORT, ...WAITS_ITS_TURN].includes(problem.code) ? 'later' : null;
}

/** Of the payee's wallet, and not of the treasury. */
const isAboutWallet = ({ code }: Problem): boolean => [155501, 177301].includes(code);

export const isAboutUs = (status: number, { code }: Problem): boolean =>
  status === 401 || status === 403 || ABOUT_US.includes(code);

/** Circle knew our key a moment ago: what it says of one wallet, or forbids for it, is nobody else's trouble. */
export const isAboutKey = (status: number, problem: Problem): boolean =>
  status !== 403 && status !== 404 && isAboutUs(status, problem);

export const codeOf = ({ code }: Problem): string => String(code);

export function notNow(afterSeconds: number): NotNow {
  return { kind: 'not_now', afterSeconds, detail: `Circle wants a rest of ${afterSeconds} seconds` };
}

/** A question that was not answered: what was sent is not known, and what was not sent can wait. */
export function unanswered(answer: Exclude<CircleAnswer<never>, { kind: 'done' }>): Unknown | NotNow {
  if (answer.kind === 'later') return notNow(answer.afterSeconds);
  const said = answer.kind === 'rejected' ? codeOf(answer.problem) : answer.detail;
  return { kind: 'unknown', detail: `Circle did not say: ${said}` };
}

const TRIED_AGAIN_SECONDS = 30;
export const putOff = (detail: string): NotNow => ({ kind: 'not_now', afterSeconds: TRIED_AGAIN_SECONDS, detail });

export const unmapped = (what: string, word: string): Unknown => ({
  kind: 'unknown',
  detail: `${what} '${short(word)}' is not mapped`,
});

const short = (word: string): string => word.slice(0, 40);
