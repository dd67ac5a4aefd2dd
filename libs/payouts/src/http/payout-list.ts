/** Reads a list's query into a filter. Two cursors: the published one by time, and one that never skips. */
import { PAYOUT_STATUSES, type PayoutStatus, Refusal } from '#libs/domain';
import { instantOf, parseInstant, placeOf } from '#libs/http-kit';
import type { PayoutFilter } from '../db/payout-page';
import type { ListPayoutsQuery } from './payouts.dto';

export function filterOf(query: ListPayoutsQuery, placeName = 'nextCursor2'): PayoutFilter {
  if (query.cursor !== undefined && query.cursor2 !== undefined)
    throw new Refusal('invalid_cursor', 'Send cursor or cursor2, not both.');
  return {
    status: statusOf(query.status),
    payeeId: query.payeeId,
    ref: query.ref,
    provider: query.provider,
    createdFrom: instantOf('createdFrom', query.createdFrom),
    createdTo: instantOf('createdTo', query.createdTo),
    before: cursorInstant(query.cursor),
    after: placeOf(query.cursor2, placeName),
  };
}

function statusOf(word: string | undefined): PayoutStatus | undefined {
  const known: readonly string[] = PAYOUT_STATUSES;
  if (word !== undefined && !known.includes(word))
    throw new Refusal('invalid_status', `status must be one of ${PAYOUT_STATUSES.join(', ')}.`);
  return word as PayoutStatus | undefined;
}

function cursorInstant(text: string | undefined): Date | undefined {
  const instant = parseInstant(text);
  if (instant === null) throw new Refusal('invalid_cursor', 'Use nextCursor of the page before, unchanged.');
  return instant;
}
