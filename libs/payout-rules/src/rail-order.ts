/** What a rail is told of a payout: the same on every try. */
import type { RailOrder } from '#libs/rail-kit';
import { payeeKeyOf } from './idempotency';
import type { Destination, Payout } from './payout';

export function orderTo(destination: Destination, payout: Payout, deployment: string): RailOrder {
  const { railKey, clientId, payeeId, externalId, amountCents, currency, reason, accountId } = payout;
  const { email, name, country, payerName = null } = destination;
  const payee = { id: payeeId, externalId, email, name, country };
  const payeeKey = payeeKeyOf(deployment, clientId, externalId);
  return { railKey, payoutId: payout.id, amountCents, currency, reason, accountId, payee, payeeKey, payerName };
}
