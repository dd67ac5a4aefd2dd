/** One round of a payout at Adyen: money to the payee's balance account, from there to their bank, and back to us if that fails. */
import type { Transfer } from './adyen.shapes';

export interface Round {
  number: number;
  /** From the platform's account to the payee's: what all of it is known by. */
  fund: Transfer;
  /** To the bank; the last one first. More than one only if those before it came to nothing, as far as Adyen said. */
  banks: Transfer[];
  /** Back to the platform's account; the last one first. */
  backs: Transfer[];
  /** The bank had the money once, though it may have sent it back since. */
  wasPaid: boolean;
  /** Adyen did not take what was to go to the bank: why. Written down before the money is pulled back. */
  notPaidOut: NotPaidOut | null;
}

// A type and not an interface: only that is a record of the store.
export type NotPaidOut = { failure: 'permanent' | 'transient' | 'account'; reason: string };

/**
 * Its transfers, the last one first, by where they go; `unsure` if they are not what one round can have, and `twice` if two of the first kind live. More
 * than one may live that goes to the bank: Adyen may book after all what it refused.
 */
export function sorted(
  transfers: readonly Transfer[],
  platformAccount: string,
): Pick<Round, 'fund' | 'banks' | 'backs'> | 'none' | 'unsure' | 'twice' {
  const ours = transfers.filter(({ direction }) => direction !== 'incoming');
  const from = (account: string, category: string): Transfer[] =>
    ours.filter((each) => each.balanceAccount?.id === account && each.category === category);
  const funds = from(platformAccount, 'internal');
  const [fund, other] = funds.filter((each) => !isOff(each));
  if (other) return 'twice';
  const first = fund ?? funds[0];
  if (!first) return ours.length === 0 ? 'none' : 'unsure';
  const account = accountOf(first);
  if (account === null) return 'unsure';
  const backs = from(account, 'internal').filter((each) => accountOf(each) === platformAccount);
  const banks = from(account, 'bank');
  return backs.filter((each) => !isOff(each)).length > 1 ? 'unsure' : { fund: first, banks, backs };
}

/** The one that lives; of those that came to nothing the last. */
export const livingOf = (transfers: readonly Transfer[]): Transfer | undefined =>
  transfers.find((each) => !isOff(each)) ?? transfers[0];

/** The payee's balance account, of the first call. */
export const accountOf = ({ counterparty }: Transfer): string | null => counterparty?.balanceAccountId ?? null;

/** Nothing moved and nothing will: Adyen or the bank said no, or it was called off. Whether it was booked before is another matter. */
const OFF = new Set(['refused', 'failed', 'cancelled']);
export const isOff = ({ status }: Transfer): boolean => OFF.has(status);

export const isBooked = ({ status }: Transfer): boolean => status === 'booked' || status === 'credited';

/** The money left the payee's balance account, by what Adyen tells of how the transfer went. */
export const wasBooked = (transfer: Transfer): boolean =>
  isBooked(transfer) || (transfer.events ?? []).some(({ status }) => status === 'booked' || status === 'credited');

/** When the bank had it; null while Adyen only says that it left. */
export function creditedAt(transfer: Transfer): Date | null {
  const event = (transfer.events ?? []).find(
    ({ status, trackingData }) => trackingData?.status === 'credited' || status === 'credited',
  );
  const isCredited = transfer.status === 'credited' || transfer.tracking?.status === 'credited';
  if (!event && !isCredited) return null;
  const at = event?.updateDate ?? event?.bookingDate ?? transfer.updatedAt;
  return at === undefined ? null : new Date(at);
}

/** Of its smallest units those that came back to the payee's account. All of them, unless Adyen says how many. */
export function cameBack({ amount, events = [] }: Transfer): number {
  const mutations = events.flatMap(({ status, mutations: all = [] }) => (status === 'returned' ? all : []));
  const told = mutations.flatMap(({ balance, currency }) => (currency === amount.currency ? (balance ?? []) : []));
  return told.length === 0 ? amount.value : told.reduce((sum, each) => sum + each, 0);
}
