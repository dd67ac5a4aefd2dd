/**
 * The consequences of a payout's change: what its client's wallet covers, where the owed rows on it stand, and where its money is in its
 * payee's balance. Pure: `PayoutBooks` writes them.
 */
import { awaitsPayee, newId, OUR_PAGE, reasonCodeOf, rowStatusOf } from '#libs/domain';
import type { BalanceMove, Bucket } from '#libs/balances';
import { type NewRow, restoredRef, type RowMove } from '#libs/owed';
import type { WalletMove } from '#libs/wallets';
import type { Payout, PayoutChange } from './payout';

export interface Following {
  wallets: WalletMove[];
  rows: RowMove[];
  restored: NewRow[];
  balances: BalanceMove[];
}

export const whatFollows = (changes: PayoutChange[]): Following => ({
  wallets: walletMoves(changes),
  rows: rowMoves(changes),
  restored: restoredRows(changes),
  balances: [...owedMoves(changes), ...balanceMoves(changes)],
});

type Draw = Pick<WalletMove, 'inFlightCents' | 'paidCents' | 'feeCents'>;

const NOTHING: Draw = { inFlightCents: 0, paidCents: 0, feeCents: 0 };

/** Held and failed payouts draw nothing; a return costs its fee. */
function drawOf(payout: Payout | null): Draw {
  if (!payout?.prepaid) return NOTHING;
  switch (payout.status) {
    case 'requested':
    case 'authorized':
    case 'submitted':
      return { ...NOTHING, inFlightCents: payout.amountCents };
    case 'paid':
      return { ...NOTHING, paidCents: payout.amountCents };
    case 'returned':
      return { ...NOTHING, feeCents: payout.liftingFeeCents };
    case 'held':
    case 'failed':
      return NOTHING;
  }
}

export function walletMoves(changes: PayoutChange[]): WalletMove[] {
  return changes.flatMap(({ before, after }) => {
    const [then, now] = [drawOf(before), drawOf(after)];
    const move = {
      inFlightCents: now.inFlightCents - then.inFlightCents,
      paidCents: now.paidCents - then.paidCents,
      feeCents: now.feeCents - then.feeCents,
    };
    const moves = Object.values(move).some((cents) => cents !== 0);
    return moves ? [{ clientId: after.clientId, currency: after.currency, ...move }] : [];
  });
}

/** A payout whose rows went on to another one moves them no more. */
const hasRows = ({ after }: PayoutChange): boolean => after.consolidates && after.supersededBy === null;

/** Those of a payout that fails are owed again, of one that is tried again back on it. Those of a new one were taken for it already. */
function rowMoves(changes: PayoutChange[]): RowMove[] {
  return changes.filter(hasRows).flatMap(({ before, after }) => {
    const [from, to] = [before ? rowStatusOf(before.status) : 'released', rowStatusOf(after.status)];
    return from === to ? [] : [{ transactionId: after.id, from, to }];
  });
}

/** Money that a bank sends back is owed again. */
function restoredRows(changes: PayoutChange[]): NewRow[] {
  return changes
    .filter((change) => hasRows(change) && comesBack(change) && restoredCents(change.after) > 0)
    .map(({ after }) => {
      const { id, clientId, payeeId, currency } = after;
      return {
        ...{ id: newId(), clientId, payeeId, currency, reason: null },
        externalRef: restoredRef(id),
        amountCents: restoredCents(after),
        cameBackFrom: id,
      };
    });
}

/** How this change moves the payout's money between being owed on no payout and being on this one. */
function owedMoves(changes: PayoutChange[]): BalanceMove[] {
  return changes.filter(hasRows).flatMap((change) => {
    const { before, after } = change;
    const { payeeId, currency } = after;
    const wasOwed = before === null || rowStatusOf(before.status) === 'owed';
    const isOwed = rowStatusOf(after.status) === 'owed';
    const moves: BalanceMove[] = [];
    if (wasOwed && !isOwed) moves.push({ payeeId, currency, cents: after.amountCents, from: 'withdrawableCents' });
    if (isOwed && !wasOwed) moves.push({ payeeId, currency, cents: after.amountCents, to: 'withdrawableCents' });
    if (comesBack(change)) moves.push({ payeeId, currency, cents: restoredCents(after), to: 'withdrawableCents' });
    return moves;
  });
}

const comesBack = ({ before, after }: PayoutChange): boolean =>
  after.status === 'returned' && before?.status !== 'returned';

const restoredCents = ({ amountCents, liftingFeeCents }: Payout): number => amountCents - liftingFeeCents;

/** Failed or returned money is in no bucket: either it is owed again, or nobody owes it. */
function bucketOf({ status, custody, claimedAt, claimUrl, statusReason }: Payout): Bucket | undefined {
  switch (status) {
    case 'requested':
    case 'authorized':
      return 'onTheWayCents';
    case 'submitted':
      // Where its page is known before, there is nothing to do on it until the rail waits.
      if (claimUrl === OUR_PAGE.soon) return 'onTheWayCents';
      return awaitsPayee({ custody, claimed: claimedAt !== null }) ? 'actionNeededCents' : 'onTheWayCents';
    case 'held':
      return reasonCodeOf(statusReason) === 'below_min_payout' ? 'heldBelowMinimumCents' : 'onTheWayCents';
    case 'paid':
      return 'landedCents';
    case 'failed':
    case 'returned':
      return undefined;
  }
}

/** The day whose cap it counts against. */
const dayOf = ({ status, authorizedOn }: Payout): string | null =>
  status === 'held' || status === 'failed' ? null : authorizedOn;

function balanceMoves(changes: PayoutChange[]): BalanceMove[] {
  return changes.map(({ before, after }) => ({
    payeeId: after.payeeId,
    currency: after.currency,
    cents: after.amountCents,
    from: before ? bucketOf(before) : undefined,
    to: bucketOf(after),
    fromDay: before && dayOf(before),
    toDay: dayOf(after),
  }));
}
