// The kinds of flags. `value` is what help calls what follows the flag; `read` makes of it what the service takes.
import { UsageError } from './usage-error.mjs';

export const text = (value, about) => ({ value, about, read: (given) => given });
export const yes = (about) => ({ about });
export const whole = (value, about) => ({ value, about, read: wholeNumber });
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

function pairOf(pair, flag, form, readValue) {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`--${flag} takes ${form}, not '${pair}'.`);
  return [pair.slice(0, at), readValue(pair.slice(at + 1), flag)];
}
