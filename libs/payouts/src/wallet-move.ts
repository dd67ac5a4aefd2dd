/** What a payout's change means for the wallet it draws on. Held and failed payouts draw nothing; a return costs its fee. */
import type { WalletMove } from '#libs/wallets';
import type { Payout, PayoutChange } from './payout';

type Draw = Pick<WalletMove, 'inFlightCents' | 'paidCents' | 'feeCents'>;

const NOTHING: Draw = { inFlightCents: 0, paidCents: 0, feeCents: 0 };

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
