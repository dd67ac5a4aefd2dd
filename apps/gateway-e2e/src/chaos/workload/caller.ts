/** A careful caller: it signs each try again, gives up on a silent process after a while, and asks another until one answers. */
import { setTimeout as pause } from 'node:timers/promises';
import { signRequest } from '#libs/sdk';
import type { Json } from '../../harness/api';
import { nowMs } from '../now';
import type { World } from '../world/world';
import type { Model, Party, Payee } from './model';

interface Answer {
  status: number;
  body: Json;
}

export interface Answered extends Answer {
  /** The last of them was answered. */
  tries: number;
}

export interface Request {
  method: string;
  path: string;
  body?: unknown;
  payee?: Payee | null;
  /** For the history. */
  what: string;
}

const PATIENCE_MS = 7_000;
const BETWEEN_TRIES_MS = 250;
const MOST_MS = 240_000;

export class Caller {
  private turn = 0;

  constructor(
    private readonly world: World,
    private readonly model: Model,
  ) {}

  asClient(party: Party, request: Request): Promise<Answered> {
    return this.untilAnswered(party.name, request, (url) => {
      const target = `/api/v1${request.path}`;
      const body = request.body === undefined ? '' : JSON.stringify(request.body);
      const credentials = { apiKey: party.key, signingSecret: party.secret };
      const headers = signRequest(credentials, { method: request.method, target, body });
      return send(`${url}${target}`, request, { ...headers });
    });
  }

  asOperator(request: Request): Promise<Answered> {
    const headers = { authorization: `Bearer ${this.world.operatorToken}` };
    return this.untilAnswered('operator', request, (url) =>
      send(`${url}/operator/v1${request.path}`, request, headers),
    );
  }

  private async untilAnswered(
    party: string,
    request: Request,
    once: (url: string) => Promise<Answer>,
  ): Promise<Answered> {
    const ask = this.model.begin(party, request.payee ?? null, request.what);
    const deadline = nowMs() + MOST_MS;
    for (;;) {
      const at = nowMs();
      this.turn += 1;
      const { urls } = this.world.gateways;
      const answer = await once(urls[this.turn % urls.length] as string).catch((error: Error) => error);
      this.model.tried(ask, { at, answeredAt: nowMs(), answer: wordsFor(answer) });
      if (!(answer instanceof Error) && isFinal(answer)) return { ...answer, tries: ask.tries.length };
      if (nowMs() > deadline) throw new Error(`Nobody answered in ${MOST_MS / 1000} s: ${party}, ${request.what}.`);
      await pause(BETWEEN_TRIES_MS);
    }
  }
}

/** What was put off, or not read in time by a process that slept, is sent again. A client that is suspended waits as well. */
function isFinal({ status, body }: Answer): boolean {
  return status < 500 && status !== 429 && status !== 408 && body?.error !== 'client_suspended';
}

function wordsFor(answer: Answer | Error): string {
  if (answer instanceof Error) return `no answer (${answer.name === 'TimeoutError' ? 'too late' : 'cut off'})`;
  const { status, body } = answer;
  const word = body?.error ?? body?.status ?? '';
  return `${status} ${word}`.trim();
}

async function send(url: string, { method, body }: Request, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as Json) : null };
}
