/** Instants in query strings and bodies: ISO 8601 with a time zone, and days that the calendar has. */
import { invalidField } from '#libs/domain';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** null: the text is no instant. */
export function parseInstant(text: string | undefined): Date | undefined | null {
  if (text === undefined) return undefined;
  const instant = new Date(text);
  return DATE_TIME.test(text) && isInCalendar(text.slice(0, 10)) && !Number.isNaN(instant.getTime()) ? instant : null;
}

export function instantOf(path: string, text: string | undefined): Date | undefined {
  const instant = parseInstant(text);
  if (instant === null) throw invalidField(path, 'must be an ISO 8601 date-time with a time zone');
  return instant;
}

/** Date reads the 30th of February as a day of March. */
function isInCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
