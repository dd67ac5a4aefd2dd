/** Payouts that their rail knows as one: what it says of their code, the last of them that was sent hears for all. */
import type { Payout } from './payout';

export interface SentCode {
  payouts: Payout[];
  sent: Payout | null;
  /** Some of its rows were sent on no other since. */
  isLast: boolean;
}

/** The youngest first. */
export function byCode(payouts: Payout[], earlier: { id: string; isLast: boolean }[]): SentCode[] {
  const last = new Set(earlier.flatMap(({ id, isLast }) => (isLast ? [id] : [])));
  const groups = new Map<string, Payout[]>();
  for (const payout of payouts) {
    const code = `${payout.provider} ${payout.railKey}`;
    groups.set(code, [...(groups.get(code) ?? []), payout]);
  }
  const codes = [...groups.values()].map((ofCode) => ({
    payouts: ofCode,
    sent: lastSentOf(ofCode),
    isLast: ofCode.some(({ id }) => last.has(id)),
  }));
  return codes.sort((a, b) => ((a.sent?.id ?? '') < (b.sent?.id ?? '') ? 1 : -1));
}

/** The one that is not superseded, and otherwise the youngest: ids rise with time. */
const lastSentOf = (payouts: Payout[]): Payout | null =>
  payouts
    .filter(({ submittedAt }) => submittedAt !== null)
    .reduce<Payout | null>((last, payout) => (last && ageOf(last) > ageOf(payout) ? last : payout), null);

const ageOf = ({ supersededBy, id }: Payout): string => `${supersededBy === null ? 1 : 0}${id}`;
