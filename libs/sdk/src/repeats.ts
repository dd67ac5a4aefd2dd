/**
 * What may be sent again, and when. Which route may be is a decision about money, so every route of the contract has its
 * line here: one that is added without does not compile.
 */
import type { Routes } from './api-types';
import type { Clock } from './clock';

export type Route = keyof Routes;

/**
 * `keyed`: sent again it does nothing twice, whatever became of the first time. It reads, sets what is then set already,
 * or carries the key by which the gateway knows it again.
 * `unbegun`: sent again only if the gateway certainly did nothing: else the second answer would hide what the first did,
 * or it would be done twice.
 */
export type Repeat = 'keyed' | 'unbegun';

export const REPEATS: Record<Route, Repeat> = {
  'GET /payees': 'keyed',
  'GET /payees/{id}': 'keyed',
  'GET /payees/{id}/readiness': 'keyed',
  'GET /payees/{id}/balance': 'keyed',
  'GET /payouts': 'keyed',
  'GET /payouts/{id}': 'keyed',
  'GET /disbursements': 'keyed',
  'GET /disbursements/{id}': 'keyed',
  'GET /events': 'keyed',
  'GET /events/{id}': 'keyed',
  'GET /wallet': 'keyed',
  'GET /webhook': 'keyed',
  'GET /keys': 'keyed',
  'POST /payees': 'keyed', // by externalId
  'POST /payees/{id}/methods': 'keyed', // by provider and account: a replay
  'POST /payees/{id}/onboarding-link': 'keyed', // one more link, which nobody is sent
  'POST /payouts': 'keyed', // by idempotencyKey
  'POST /payouts/batch': 'keyed', // each row by its key, or by the batch's and its payee
  'POST /payouts/{id}/cancel': 'keyed', // what is cancelled is answered the same
  'POST /disbursements': 'keyed', // each row by its externalRef
  'POST /disbursements/recovery-link': 'keyed', // by the ids in it
  'PUT /webhook': 'keyed',
  'DELETE /keys/{id}': 'keyed',
  'POST /test/payees/{id}/onboarding': 'keyed', // the outcome is set, not added
  // The second would answer 409, although the first let the money go.
  'POST /payouts/{id}/retry': 'unbegun',
  'POST /payouts/{id}/release': 'unbegun',
  'POST /payees/{id}/withdraw': 'unbegun',
  'POST /test/payouts/{id}/claim': 'unbegun',
  'POST /test/payouts/{id}/settle': 'unbegun',
  'POST /test/payouts/{id}/fail': 'unbegun',
  'POST /test/payouts/{id}/return': 'unbegun',
  // A second mail, a second key, a second ping, a second day.
  'POST /payees/{id}/portal-link': 'unbegun',
  'POST /keys': 'unbegun',
  'POST /events/{id}/replay': 'unbegun',
  'POST /webhook-test': 'unbegun',
  'POST /test/clock': 'unbegun',
};

/** Of another status nothing changes by asking again. */
const PASSES = new Set([408, 429, 500, 502, 503, 504]);
/** Refused before anything was done: too many requests, or a body that did not arrive. */
const UNBEGUN = new Set([408, 429]);

export const maySucceedLater = (status: number): boolean => PASSES.has(status);

/** Of a try that changes something. A redirect or a page of HTML may stand in front of what was done. */
export function mayHaveHappened(status: number, readable: boolean): boolean {
  if (UNBEGUN.has(status) && readable) return false;
  return status >= 500 || status < 400 || !readable;
}

export interface Pauses {
  /** Before the second try; doubles from there. */
  firstPauseMs: number;
  /** If the answer asks to be left alone for longer, the call is not repeated. */
  longestPauseMs: number;
}

/** Milliseconds until the next try, or null: too long. `headers` are those of the answer, if one came. */
export function pauseBefore(
  failed: { turn: number; status?: number; headers?: Headers },
  { firstPauseMs, longestPauseMs }: Pauses,
  { clock, chance }: { clock: Clock; chance: () => number },
): number | null {
  const backOff = firstPauseMs * 2 ** (failed.turn - 1) * (0.5 + chance() / 2);
  const asked = askedFor(failed, clock);
  if (asked === null) return Math.min(backOff, longestPauseMs);
  // All that were turned away at once should not come back at once.
  return asked > longestPauseMs ? null : asked + chance() * firstPauseMs * 2;
}

function askedFor({ status, headers }: { status?: number; headers?: Headers }, clock: Clock): number | null {
  if (!headers) return null;
  if (status === 429) return untilNextMinute(headers, clock);
  return retryAfter(headers.get('retry-after'), clock);
}

/** The contract has no Retry-After here: requests are counted by the minute, by the clock of the gateway. */
function untilNextMinute(headers: Headers, clock: Clock): number {
  const reset = headers.get('ratelimit-reset');
  if (reset !== null && /^\d{1,5}$/.test(reset)) return Number(reset) * 1_000;
  const there = Date.parse(headers.get('date') ?? '');
  return 60_000 - ((Number.isNaN(there) ? clock.now().getTime() : there) % 60_000);
}

/** Seconds, or a date. */
function retryAfter(text: string | null, clock: Clock): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const then = Date.parse(text);
  return Number.isNaN(then) ? null : Math.max(0, then - clock.now().getTime());
}
