// The kinds of flags. `value` is what help calls what follows the flag; `read` makes of it what the service takes.
import { UsageError } from './usage-error.mjs';

const TIMES = '2026-11-01T00:00:00Z, or 2026-11-01 for its beginning in UTC';
const INSTANT = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

export const text = (value, about) => ({ value, about, read: (given) => given });
export const yes = (about) => ({ about });
export const whole = (value, about) => ({ value, about, read: wholeNumber });
export const time = (about) => ({ value: 'time', about: `${about}: ${TIMES}`, read: instant });
export const wholeOrDefault = (value, about) => ({ value, about, read: orNull('default', wholeNumber) });
export const textOr = (none, value, about) => ({ value, about, read: orNull(none, (given) => given) });
export const list = (value, about) => ({ value, about, read: words });
export const listOr = (none, value, about) => ({ value, about, read: orNull(none, words) });

/** Given once or several times, `name=value` each; answers [name, value] pairs. */
export const pairs = (value, about, readValue) => ({
  value,
  about,
  many: true,
  read: (given, flag) => given.map((pair) => pairOf(pair, flag, value, readValue)),
});

export const wholePair = orNull('default', wholeNumber);

export function words(given) {
  return given.split(',').filter(Boolean);
}

function orNull(none, read) {
  return (given, flag) => (given === none ? null : read(given, flag));
}

function wholeNumber(given, flag) {
  if (/^-?\d{1,15}$/.test(given)) return Number(given);
  throw new UsageError(`--${flag} takes a whole number, not '${given}'.`);
}

/** The service takes instants only, and says nothing of flags. */
function instant(given, flag) {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}T00:00:00Z` : given;
  if (INSTANT.test(full) && !Number.isNaN(Date.parse(full)) && isInCalendar(given.slice(0, 10))) return full;
  throw new UsageError(`--${flag} takes a time such as ${TIMES}, not '${given}'.`);
}

/** Date reads the 30th of February as a day of March. */
function isInCalendar(day) {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

function pairOf(pair, flag, form, readValue) {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`--${flag} takes ${form}, not '${pair}'.`);
  return [pair.slice(0, at), readValue(pair.slice(at + 1), flag)];
}
