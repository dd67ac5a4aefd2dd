/** Signed calls over fetch: each try signed again, and repeated as far as its route may be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from './clock';
import { errorOf, NoAnswer, type PayoutGatewayError } from './errors';
import { maySucceedLater, mayHaveHappened, pauseBefore, type Pauses, type Repeat } from './repeats';
import { type Credentials, signRequest } from './sign-request';

export interface ConnectionOptions extends Credentials, Partial<Pauses> {
  /** Where the gateway is, such as `https://payouts.example.com`. */
  baseUrl: string;
  /** Of one try; default 30,000. */
  timeoutMs?: number;
  /** Tries in all; default 5. */
  tries?: number;
}

export interface Answer<T> {
  status: number;
  body: T;
}

export interface Call {
  method: string;
  /** The path after /api/v1, query included. */
  path: string;
  body?: unknown;
  repeat: Repeat;
}

interface Failed {
  error: PayoutGatewayError;
  /** Whether another try could go better. */
  passes: boolean;
  status?: number;
  headers?: Headers;
}

const DEFAULTS = { timeoutMs: 30_000, tries: 5, firstPauseMs: 250, longestPauseMs: 65_000 };
const PREFIX = '/api/v1';
/** Nothing was sent: nobody listens there, or there is no such host. Unless the connection stood already: then it broke. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

export class Connection {
  private readonly options: Required<ConnectionOptions>;

  constructor(options: ConnectionOptions) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.options = { ...DEFAULTS, ...(given as unknown as ConnectionOptions), baseUrl: addressOf(options) };
    for (const name of ['apiKey', 'signingSecret'] as const)
      if (!options[name]) throw new TypeError(`${name} is missing or empty: is its environment variable set?`);
  }

  async call<T>(call: Call): Promise<Answer<T>> {
    const text = call.body === undefined ? '' : JSON.stringify(call.body);
    let mayHaveHappened = false;
    for (let turn = 1; ; turn += 1) {
      const outcome = await this.tryOnce<T>(call, text);
      if (!('error' in outcome)) return outcome;
      mayHaveHappened ||= outcome.error.mayHaveHappened;
      const pause = this.pauseAfter(outcome, turn, call.repeat);
      // That the last try did nothing says nothing of those before it.
      if (pause === null) throw Object.assign(outcome.error, { mayHaveHappened });
      await sleep(pause);
    }
  }

  private pauseAfter(failed: Failed, turn: number, repeat: Repeat): number | null {
    const { error, passes } = failed;
    if (!passes || turn >= this.options.tries) return null;
    if (repeat === 'unbegun' && error.mayHaveHappened) return null;
    return pauseBefore({ ...failed, turn }, this.options, { clock: systemClock, chance: Math.random });
  }

  private async tryOnce<T>({ method, path }: Call, text: string): Promise<Answer<T> | Failed> {
    const url = new URL(`${this.options.baseUrl}${PREFIX}${path}`);
    const signed = signRequest(this.options, { method, target: `${url.pathname}${url.search}`, body: text });
    const writes = method !== 'GET';
    try {
      const response = await fetch(url, {
        method,
        headers: text === '' ? { ...signed } : { ...signed, 'content-type': 'application/json' },
        body: text === '' ? undefined : text,
        redirect: 'manual', // a signature is for one place
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      return outcomeOf<T>(response, await response.text(), writes);
    } catch (cause) {
      return { error: new NoAnswer(wordsOf(cause), writes && !wasNeverSent(cause), { cause }), passes: true };
    }
  }
}

function outcomeOf<T>({ ok, status, headers }: Response, text: string, writes: boolean): Answer<T> | Failed {
  const body = readable(text);
  if (ok && body !== null) return { status, body: body as T };
  // Each try is signed anew, so another copy of this one has arrived before: something in between sent it twice.
  const isCopy = (body as { error?: string } | null)?.error === 'replayed_request';
  const happened = writes && (isCopy || mayHaveHappened(status, body !== null));
  const error = errorOf({ status, body, requestId: headers.get('x-request-id'), mayHaveHappened: happened });
  return { error, passes: isCopy || maySucceedLater(status), status, headers };
}

function addressOf({ baseUrl }: ConnectionOptions): string {
  if (!baseUrl || !URL.canParse(baseUrl) || !['http:', 'https:'].includes(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl must be like https://payouts.example.com, and is ${JSON.stringify(baseUrl)}.`);
  const address = baseUrl.replace(/\/+$/, '');
  if (address.endsWith(PREFIX)) throw new TypeError(`Leave ${PREFIX} out of baseUrl: the client adds it.`);
  return address;
}

/** null if it is no JSON object or list: then it was not the gateway that answered. */
function readable(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? body : null;
  } catch {
    return null;
  }
}

interface SystemError {
  code: string;
  syscall?: string;
}

function systemErrorIn(error: unknown): SystemError | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return error as SystemError;
  return cause === undefined ? undefined : systemErrorIn(cause);
}

const OF_A_CONNECTION = new Set(['read', 'write']);

export function wasNeverSent(error: unknown): boolean {
  const { code, syscall } = systemErrorIn(error) ?? {};
  return NEVER_SENT.has(code ?? '') && !OF_A_CONNECTION.has(syscall ?? '');
}

function wordsOf(error: unknown): string {
  const { message } = error as Error;
  const code = systemErrorIn(error)?.code;
  return code ? `No answer: ${message} (${code}).` : `No answer: ${message}.`;
}
