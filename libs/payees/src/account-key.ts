/** The key under which a rail opens an account of a payee. */
import { createHash } from 'node:crypto';

/**
 * Derived from how the caller names the payee, never from an id of ours: a database restored from an old backup comes to the same key,
 * and so to the account that was opened. A rail would repeat a final refusal under the same key: only then is there a next number.
 */
export function accountKeyOf(
  deployment: string,
  payee: { clientId: string; externalId: string },
  provider: string,
  number: number,
): string {
  const parts = ['account', deployment, payee.clientId, payee.externalId, provider, number];
  return `gw${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 48)}`;
}
