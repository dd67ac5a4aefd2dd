/** No payout that is not paid here, and whose money moved, stays unnoticed: it goes on to paid, or an open drift row names it. */
import type { Evidence, Movement } from './evidence';
import { eur, type Violation } from './violation';

const TOLD = ['paid', 'returned'];

/** The payouts that open drift names, and those that their rows went on to: what hangs on them waits for an operator. */
export function disputed({ payouts, drift }: Pick<Evidence, 'payouts' | 'drift'>): Set<string | null> {
  const named = new Set(drift.filter(({ open }) => open).map(({ payout_id }) => payout_id));
  for (const id of named) named.add(payouts.find((payout) => payout.id === id)?.superseded_by ?? id);
  return named;
}

export function unnoticed({ movements, payouts, drift }: Evidence): Movement[] {
  return movements.filter(({ code, rail }) => {
    const mine = payouts.filter((payout) => payout.rail_key === code && payout.provider === rail);
    if (mine.length === 0 || mine.some(({ status }) => TOLD.includes(status))) return false;
    return !drift.some((row) => row.open && row.rail === rail && row.rail_key === code);
  });
}

export function untoldOf(evidence: Evidence, { code, rail, amountCents, at }: Movement, waitedMs: number): Violation {
  const payout = evidence.payouts.find(({ rail_key }) => rail_key === code);
  const seconds = Math.round((at - evidence.beganAt) / 1000);
  return {
    rule: 'money that moved is noticed',
    text:
      `${rail} moved ${eur(amountCents)} at T+${seconds}s for payout ${payout?.id}, which is ${payout?.status} ` +
      `(${payout?.failure_kind}); for ${Math.round(waitedMs / 1000)} s of good health no open drift row named it.`,
    payees: [evidence.payeeById.get(payout?.payee_id ?? '')?.externalId ?? ''],
    codes: [code],
  };
}
