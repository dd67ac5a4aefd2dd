/** Reads a list's query into a filter. Two cursors: the published one by time, and one that never skips. */
import { invalidField, PAYOUT_STATUSES, type PayoutStatus, Refusal } from '#libs/domain';
import { placeOf } from '#libs/http-kit';
import type { PayoutFilter } from '../db/payout.reads';
import type { ListPayoutsQuery } from './payouts.dto';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

export function filterOf(query: ListPayoutsQuery): PayoutFilter {
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
    after: placeOf(query.cursor2),
  };
}

function statusOf(word: string | undefined): PayoutStatus | undefined {
  const known: readonly string[] = PAYOUT_STATUSES;
  if (word !== undefined && !known.includes(word))
    throw new Refusal('invalid_status', `status must be one of ${PAYOUT_STATUSES.join(', ')}.`);
  return word as PayoutStatus | undefined;
}

function cursorInstant(text: string | undefined): Date | undefined {
  const instant = parse(text);
  if (instant === null) throw new Refusal('invalid_cursor', 'Use nextCursor of the page before, unchanged.');
  return instant;
}

function instantOf(path: string, text: string | undefined): Date | undefined {
  const instant = parse(text);
  if (instant === null) throw invalidField(path, 'must be an ISO 8601 date-time with a time zone');
  return instant;
}

/** null: the text is no instant. */
function parse(text: string | undefined): Date | undefined | null {
  if (text === undefined) return undefined;
  const instant = new Date(text);
  return DATE_TIME.test(text) && isInCalendar(text) && !Number.isNaN(instant.getTime()) ? instant : null;
}

/** Date reads the 30th of February as a day of March. */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day) && text.slice(11, 13) !== '24';
}
