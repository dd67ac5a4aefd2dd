/** What a payee says yes to when they withdraw: so much, to this account. If either is another one by then, they are asked once more. */
import { createHmac } from 'node:crypto';
import type { Balance } from '#libs/balances';
import type { Readiness } from '#libs/payees';
import type { PortalSession } from '../portal-session';

export interface Confirmed {
  balances: Balance[];
  goesTo: string;
}

/** The word for it in the page's address, where history and proxies may keep it: who reads it learns nothing of the account. */
export const wordFor = ({ id }: Pick<PortalSession, 'id'>, { balances, goesTo }: Confirmed): string =>
  `${sumsOf(balances)}.${createHmac('sha256', id).update(goesTo).digest('base64url')}`;

/** The rail, the account there, and the details by which its owner recognises it: on the rail's pages they may have changed those alone. */
export function goesTo({ payee, method }: Pick<Readiness, 'payee' | 'method'>): string {
  const { brand = null, last4 = null } = method?.details ?? {};
  return JSON.stringify([payee.provider, method?.id ?? null, brand, last4]);
}

export const NOTHING = '';
/** How much can be withdrawn. */
export const sumsOf = (balances: Balance[]): string =>
  balances
    .filter(({ withdrawableCents }) => withdrawableCents > 0)
    .map(({ currency, withdrawableCents }) => `${currency}${withdrawableCents}`)
    .sort()
    .join('-');
