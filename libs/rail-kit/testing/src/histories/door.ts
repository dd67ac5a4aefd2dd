/** Between one process and the simulated provider: calls stop here on their way there and back, and may be met badly. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, readBody, startLoopbackServer } from '../loopback-server';
import type { Meeting } from './plan';
import type { Process } from './process';

/** One call as it went out. */
export interface ProviderCall {
  method: string;
  /** With its question. */
  path: string;
  body: string;
}

export interface LaggingList {
  path: RegExp;
  /** Where its entries stand in the answer, and when each was made: a text, or seconds. */
  entries: readonly string[];
  madeAt: string;
}

/** What the door has to know of a provider. */
export interface DoorParts {
  /** Where it really is. */
  target: string;
  now(): Date;
  moves(call: ProviderCall): boolean;
  /** Calls of which nothing depends, such as those for a token: they pass. */
  passes?(call: ProviderCall): boolean;
  /** What it says of a call that it does not look at, one after the other. */
  refusals: readonly { status: number; body: object }[];
  /** Those that lag: what is new is left out. */
  lists?: readonly LaggingList[];
  /** What the money comes from is short, or is not any more. */
  short(isShort: boolean, call: ProviderCall): void | Promise<void>;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Ten minutes, less what a call may take that was counted when it began. */
export const LAGS_FOR_MS = 560_000;
const REST_SECONDS = '7';
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];
const WORDS: Record<Meeting, string> = {
  done: 'done',
  answer_lost: 'done, and the answer is lost',
  not_arrived: 'it never arrives',
  error: 'HTTP 500, nothing is done',
  error_after: 'done, and answered with HTTP 500',
  put_off: 'put off',
  turned_away: 'turned away',
  short: 'while that is short which it comes from',
};

export class Door {
  private refused = 0;

  private constructor(
    private readonly process: Process,
    private readonly parts: DoorParts,
  ) {}

  static open(process: Process, parts: DoorParts): Promise<LoopbackServer> {
    const door = new Door(process, parts);
    return startLoopbackServer((request, response) => void door.meet(request, response));
  }

  private async meet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const call = { method, path: url, body: await readBody(request) };
    if (this.parts.passes?.(call)) return send(response, await this.passOn(request, call));
    const isMoney = this.parts.moves(call);
    await this.process.stands(`${method} ${url}`, isMoney);
    const answer = await (isMoney ? this.moved(request, call) : this.read(request, call));
    await this.process.stands(`hears the answer to ${method} ${url}`);
    if (answer === null) response.destroy();
    else send(response, answer);
  }

  /** null: no answer. */
  private async moved(request: IncomingMessage, call: ProviderCall): Promise<Answer | null> {
    const meeting = this.isOver() ? 'not_arrived' : this.process.takesMeeting();
    this.process.says(`${call.method} ${call.path}: ${WORDS[meeting]}`);
    if (meeting === 'not_arrived') return null;
    if (meeting === 'error') return error();
    if (meeting === 'turned_away') return this.refusal();
    if (meeting === 'put_off') return { ...error(), status: 429, headers: { 'retry-after': REST_SECONDS } };
    if (meeting === 'short') await this.parts.short(true, call);
    const answer = await this.passOn(request, call);
    if (meeting === 'short') await this.parts.short(false, call);
    if (answer.status >= 400) this.process.says(`  the provider says no: ${answer.text.slice(0, 120)}`);
    if (meeting === 'answer_lost') return null;
    return meeting === 'error_after' ? error() : answer;
  }

  private refusal(): Answer {
    const { refusals } = this.parts;
    const { status, body } = refusals[this.refused++ % refusals.length] ?? { status: 500, body: {} };
    this.process.says(`  the provider says no: ${JSON.stringify(body)}`);
    return { ...error(), status, text: JSON.stringify(body) };
  }

  private async read(request: IncomingMessage, call: ProviderCall): Promise<Answer | null> {
    const { reads } = this.process.weather;
    if (this.isOver()) return null;
    if (reads === 'down') {
      this.process.says(`${call.method} ${call.path}: HTTP 500`);
      return error();
    }
    const answer = await this.passOn(request, call);
    return reads === 'lagging' && answer.status === 200 ? this.lagging(call, answer) : answer;
  }

  /** What is new is not in there yet. */
  private lagging({ method, path }: ProviderCall, answer: Answer): Answer {
    const list = this.parts.lists?.find((each) => each.path.test(path));
    if (list === undefined) return answer;
    const body = JSON.parse(answer.text) as unknown;
    const entries = list.entries.reduce((found, name) => (found as Record<string, unknown>)[name], body) as unknown[];
    const since = this.parts.now().getTime() - LAGS_FOR_MS;
    const old = entries.filter((entry) => madeAt(entry, list.madeAt) < since);
    const left = entries.length - old.length;
    if (left > 0) this.process.says(`${method} ${path.split('?')[0]}: ${left} not listed yet`);
    entries.splice(0, entries.length, ...old);
    return { ...answer, text: JSON.stringify(body) };
  }

  private isOver(): boolean {
    return this.parts.now().getTime() >= this.process.until;
  }

  private async passOn(request: IncomingMessage, { method, path, body }: ProviderCall): Promise<Answer> {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      OF_THE_CONNECTION.includes(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    const init = { method, headers, redirect: 'manual' as const, ...(body === '' ? {} : { body }) };
    const answer = await fetch(this.parts.target + path, init);
    const type = answer.headers.get('content-type') ?? 'application/json';
    const rest = answer.headers.get('retry-after');
    return {
      status: answer.status,
      headers: { 'content-type': type, ...(rest === null ? {} : { 'retry-after': rest }) },
      text: await answer.text(),
    };
  }
}

function madeAt(entry: unknown, name: string): number {
  const told = (entry as Record<string, unknown>)[name];
  return typeof told === 'number' ? told * 1000 : Date.parse(String(told));
}

const error = (): Answer => ({
  status: 500,
  headers: { 'content-type': 'application/json' },
  text: '{"message":"no"}',
});

function send(response: ServerResponse, { status, headers, text }: Answer): void {
  response.writeHead(status, headers).end(text);
}
