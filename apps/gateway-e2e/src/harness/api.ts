/** A client of the API that signs what it sends, and can be told to send it wrongly. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, unixSeconds } from '#libs/domain';
import { signRequest } from '#libs/sdk';

export interface UnderTest {
  urls: string[];
  operatorToken: string;
  databaseUrl: string;
}

export interface Answer<T = Json> {
  status: number;
  body: T;
  headers: Headers;
}

// The suite reads answers as any caller would: what is not there shows in the assertion.
// eslint-disable-next-line no-restricted-syntax -- answers of all shapes: what is missing shows in the assertion
export type Json = any;

export function underTest(): UnderTest {
  return JSON.parse(process.env.E2E_UNDER_TEST ?? '{}') as UnderTest;
}

export const unixNow = (): number => unixSeconds(systemClock);

/** Version 1 of the signature, written out here so that the suite does not lean on the code it tests. */
export function signedHeaders(
  key: string,
  secret: string,
  body: string,
  timestamp = unixNow(),
): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'x-gw-timestamp': String(timestamp),
    'x-gw-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
  };
}

/** After so long something hangs. It is no measure of speed: the machine may be busy with something else. */
export const HANGS_MS = 60_000;

let turn = 0;

export class ApiClient {
  constructor(
    readonly id: string,
    readonly key: string,
    readonly secret: string,
    readonly urls: string[],
  ) {}

  /** Signed with version 2, whose nonce lets equal bodies be sent in the same second; processes take turns. */
  async call<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const url = new URL(`${this.nextUrl()}/api/v1${path}`);
    const target = url.pathname + url.search;
    const headers = signRequest({ apiKey: this.key, signingSecret: this.secret }, { method, target, body: text });
    return send<T>(url.href, method, { ...headers, ...contentType(body) }, body === undefined ? undefined : text);
  }

  get<T = Json>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path);
  }

  post<T = Json>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.call<T>('POST', path, body);
  }

  /** Version 1, with whatever headers the spec wants to be different. */
  raw(
    method: string,
    path: string,
    body: string | undefined,
    change: Record<string, string | undefined> = {},
  ): Promise<Answer> {
    const headers = { ...signedHeaders(this.key, this.secret, body ?? ''), ...contentType(body), ...change };
    const present = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    return send(`${this.nextUrl()}/api/v1${path}`, method, present as Record<string, string>, body);
  }

  async payee(fields: Record<string, unknown> = {}): Promise<Json> {
    const { body } = await this.post('/payees', {
      externalId: `payee-${randomUUID()}`,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      country: 'US',
      ...fields,
    });
    return body;
  }

  async payablePayee(fields: Record<string, unknown> = {}): Promise<Json> {
    const { id } = await this.payee(fields);
    return (await this.post(`/test/payees/${id}/onboarding`, { outcome: 'verified' })).body;
  }

  payout(payeeId: string, fields: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('/payouts', {
      payeeId,
      amountCents: 1000,
      currency: 'USD',
      idempotencyKey: randomUUID(),
      ...fields,
    });
  }

  private nextUrl(): string {
    turn += 1;
    return this.urls[turn % this.urls.length] as string;
  }
}

const contentType = (body: unknown): Record<string, string> =>
  body === undefined ? {} : { 'content-type': 'application/json' };

export async function send<T = Json>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer<T>> {
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  return { status: response.status, body: (text ? parsed(text) : undefined) as T, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export async function operator(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const { urls, operatorToken } = underTest();
  const headers = { authorization: `Bearer ${token ?? operatorToken}`, ...contentType(body) };
  return send(`${urls[0]}/operator/v1${path}`, method, headers, body === undefined ? undefined : JSON.stringify(body));
}

export async function newClient(settings: Record<string, unknown> = {}): Promise<ApiClient> {
  const { status, body } = await operator('POST', '/clients', { name: 'e2e', testMode: true, ...settings });
  if (status !== 201) throw new Error(`No client: ${JSON.stringify(body)}`);
  return new ApiClient(body.client.id, body.apiKey, body.signingSecret, underTest().urls);
}

/** Asks until the answer is as wanted. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  withinMs = HANGS_MS,
  everyMs = 50,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms; last: ${JSON.stringify(answer)}`);
    await pause(everyMs);
  }
}
