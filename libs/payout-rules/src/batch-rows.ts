/** Which rows of a batch are the same payment: those without a key of their own that come to pay the same payee. */
import { createHash } from 'node:crypto';

interface NamingRow {
  payeeId?: string | null;
  email?: string | null;
  idempotencyKey?: string | null;
}

/** By whom it pays, never by its place. Written so that no other key and payee come to the same text. */
export function keyOfRow(batchKey: string, payeeId: string): string {
  return `batch:${createHash('sha256')
    .update(JSON.stringify([batchKey, payeeId]))
    .digest('hex')}`;
}

const NEW_PAYEE = 'email:';
/** Not an address of which no payee is known. */
export const isKnownTarget = (target: string): boolean => !target.startsWith(NEW_PAYEE);

/** Whom rows pay without telling them apart, with the places of those rows; refused rows pay nobody. */
export function ambiguousTargets(
  rows: (NamingRow | { error: string })[],
  known: Map<string, string>,
): Map<string, number[]> {
  const byTarget = new Map<string, { index: number; key: string | null }[]>();
  rows.forEach((row, index) => {
    if ('error' in row) return;
    const target = row.payeeId ?? known.get(row.email ?? '') ?? `${NEW_PAYEE}${row.email}`;
    byTarget.set(target, [...(byTarget.get(target) ?? []), { index, key: row.idempotencyKey ?? null }]);
  });
  const ambiguous = [...byTarget].filter(([, same]) => isAmbiguous(same));
  return new Map(ambiguous.map(([target, same]) => [target, same.map(({ index }) => index)]));
}

/** Paying somebody twice must be meant: each of the rows has a key of its own. */
function isAmbiguous(same: { key: string | null }[]): boolean {
  const keys = same.map(({ key }) => key);
  return same.length > 1 && (keys.includes(null) || new Set(keys).size < same.length);
}
