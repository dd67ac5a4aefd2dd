/** For how long a provider that asked for a rest wants to be left alone. */

/** If it does not say, or says something that is no time. */
const USUAL_SECONDS = 30;
const MOST_SECONDS = 86_400;

/** `retryAfter` is a number of seconds, or a date; a date counts from the provider's own, not from our clock. */
export function afterSeconds(retryAfter: string | undefined, date: string | undefined): number {
  if (retryAfter === undefined) return USUAL_SECONDS;
  const seconds = /^[0-9]{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.parse(date ?? '')) / 1000);
  return seconds > 0 ? Math.min(seconds, MOST_SECONDS) : USUAL_SECONDS;
}
