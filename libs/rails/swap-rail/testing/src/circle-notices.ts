/** What the simulated Circle tells by itself, signed as Circle signs. */
import type { Notice } from '#libs/provider-sandbox';
import type { CircleState, CircleTransaction } from './circle-books';
import { signed } from './circle-keys';
import { noticeBody } from './circle-words';

export function noticeOf(transaction: CircleTransaction, { keys }: Pick<CircleState, 'keys'>, now: Date): Notice {
  const body = JSON.stringify(noticeBody(transaction, keys.noticesId, now));
  const headers = { 'x-circle-key-id': keys.noticesId, 'x-circle-signature': signed(keys, body) };
  return { body, headers: { 'content-type': 'application/json', ...headers } };
}

/** Signed, but not for these words. */
export function forged({ body, headers }: Notice): Notice {
  return { body: body.replace('"version":2', '"version":3'), headers };
}
