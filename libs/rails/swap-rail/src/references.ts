/**
 * The text kept beside each transaction at Circle (`refId`), and how it is read back: which payout it belongs to, which try of it, and for
 * a drain which call.
 */

export type Reference =
  /** From the treasury to the payee's wallet. */
  | { kind: 'pay'; railKey: string; number: number }
  /** From there to where the payee said. */
  | { kind: 'drain'; railKey: string; number: number; legKey: string }
  /** Back to the treasury, by an operator at Circle: nobody came for it. */
  | { kind: 'back'; railKey: string; number: number };

export const payReference = (railKey: string, number: number, deployment: string): string =>
  ['pay', railKey, String(number), deployment].join('/');
export const drainReference = (railKey: string, number: number, legKey: string): string =>
  ['drain', railKey, String(number), legKey].join('/');
export const backReference = (railKey: string, number: number): string => ['back', railKey, String(number)].join('/');

/** null: it is of something else that is done with the same account. */
export function referenceOf(refId: string | undefined): Reference | null {
  const [kind, railKey = '', number = '', ...rest] = (refId ?? '').split('/');
  if (railKey === '' || !/^[1-9][0-9]{0,8}$/.test(number)) return null;
  const of = { railKey, number: Number(number) };
  if (kind === 'drain') return { kind, ...of, legKey: rest.join('/') };
  return kind === 'pay' || kind === 'back' ? { kind, ...of } : null;
}
