/**
 * One call of a provider's API. It is made once, it ends in time, it never throws, and only what is certain is called so: a
 * time-out, a cut connection, a 5xx, a redirect and a page of HTML are all `unclear`.
 */
import { deadlineIn } from '#libs/domain';
import { Agent, request } from 'undici';
import { parsed } from './answer-text';
import { unlessOver } from './last-look';
import { afterSeconds } from './rest';

export type Answer<Found, Problem> =
  | { kind: 'done'; found: Found }
  /** In the provider's own words: whether it is a refusal is for the rail to know. */
  | { kind: 'rejected'; status: number; problem: Problem }
  /** It did nothing, and says when it may be asked again; and why, if it has words for that. */
  | { kind: 'later'; afterSeconds: number; problem?: Problem }
  /** Nobody can tell from this whether the provider did the work. */
  | { kind: 'unclear'; detail: string };

/** What an answer has to look like to be one. */
export type Shape<Found> = (body: unknown) => body is Found;

export interface ProviderRequest<Found, Problem> {
  method: 'GET' | 'POST' | 'HEAD';
  /** Below the base URL, with its question. */
  path: string;
  headers?: Record<string, string>;
  /** As it goes out: JSON, or a form. */
  body?: { type: 'application/json' | 'application/x-www-form-urlencoded'; text: string };
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
  found: Shape<Found>;
  problem: Shape<Problem>;
}

export interface TransportOptions {
  baseUrl: string;
  timeoutMs: number;
  /** An answer of more than that is none. */
  mostBytes?: number;
  /** How it says that it did nothing, and wants a rest: 429 alone if nothing is said. 503 too if its documentation promises that. */
  putsOffWith?: readonly number[];
}

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const MOST_BYTES = 4 * 1024 * 1024;
const TOO_MANY = [429];

export class Transport {
  readonly #agent = new Agent({ pipelining: 1, keepAliveTimeout: 4_000, connect: { timeout: 10_000 } });

  constructor(private readonly options: TransportOptions) {}

  async call<Found, Problem>(asked: ProviderRequest<Found, Problem>): Promise<Answer<Found, Problem>> {
    try {
      const answer = await this.#exchange(asked);
      const putsOff = (this.options.putsOffWith ?? TOO_MANY).includes(answer.status);
      return await (putsOff ? later(answer, asked) : sorted(answer, asked));
    } catch (error) {
      return { kind: 'unclear', detail: `no answer: ${nameOf(error)}` };
    }
  }

  async #exchange({ method, path, headers, body, signal }: ProviderRequest<unknown, unknown>): Promise<RawAnswer> {
    const { baseUrl, timeoutMs, mostBytes = MOST_BYTES } = this.options;
    const inTime = AbortSignal.timeout(timeoutMs);
    const isPast = deadlineIn(timeoutMs);
    const isOver = (): boolean => signal?.aborted || isPast();
    // Redirects are not followed: credentials go to no other host.
    const response = await request(baseUrl + path, {
      method,
      headers: { accept: 'application/json', ...(body ? { 'content-type': body.type } : {}), ...headers },
      ...(body ? { body: body.text } : {}),
      dispatcher: this.#agent.compose(unlessOver(isOver)),
      signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await textOf(response.body, mostBytes),
    };
  }
}

async function later<Problem>(
  { headers, text }: RawAnswer,
  { problem }: Pick<ProviderRequest<unknown, Problem>, 'problem'>,
): Promise<Answer<never, Problem>> {
  const body = await parsed(text);
  const seconds = afterSeconds(one(headers['retry-after']), one(headers.date));
  return { kind: 'later', afterSeconds: seconds, ...(problem(body) ? { problem: body } : {}) };
}

async function sorted<Found, Problem>(
  { status, text }: Pick<RawAnswer, 'status' | 'text'>,
  { found, problem }: ProviderRequest<Found, Problem>,
): Promise<Answer<Found, Problem>> {
  const body = await parsed(text);
  if (status >= 200 && status < 300 && found(body)) return { kind: 'done', found: body };
  if (status >= 400 && status < 500 && problem(body)) return { kind: 'rejected', status, problem: body };
  return { kind: 'unclear', detail: `HTTP ${status} with ${text.length} characters that mean nothing here` };
}

async function textOf(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw Object.assign(new Error('too long'), { name: 'AnswerTooLong' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

/** Its code, such as ECONNREFUSED, or its name: what it says may hold an address, and what stands in one. */
function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown error';
}
