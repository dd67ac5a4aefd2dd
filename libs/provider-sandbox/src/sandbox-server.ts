/** A simulated provider's door: real HTTP on loopback, with the faults that were asked for. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, Faults } from './faults';

export interface SandboxRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface SandboxAnswer {
  status: number;
  /** As JSON; or `html`. */
  body?: unknown;
  html?: string;
  headers?: Record<string, string>;
}

interface Door {
  /** Does the work. What it throws is a mistake of the simulator, told as 500 with its words. */
  answer(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer>;
  /** Sees each call that was worked on, with its answer. */
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

const USUAL_REST_SECONDS = 7;

export class SandboxServer {
  readonly faults = new Faults();
  private server?: Server;
  private readonly lastAnswers = new Map<string, SandboxAnswer>();

  constructor(private readonly door: Door) {}

  /** On any port that is free, unless it is told which. Never on another address than this machine's own. */
  async start(port = 0): Promise<string> {
    const server = createServer((request, response) => void this.meet(request, response));
    await new Promise<void>((ready, failed) => server.once('error', failed).listen(port, '127.0.0.1', ready));
    this.server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    await new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  }

  private async meet(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await readRequest(incoming);
      const fault = this.faults.strike(request);
      if (fault && this.strikesBefore(fault, request, response)) return;
      const answer = await this.work(request);
      if (fault && (await strikesAfter(fault, response))) return;
      send(response, fault?.effect === 'reworded' ? reworded(answer, fault) : answer);
    } catch (error) {
      response.destroy(error as Error);
    }
  }

  private async work(request: SandboxRequest): Promise<SandboxAnswer> {
    const answer = await this.answered(request);
    this.door.watch?.(request, answer);
    if (request.method === 'GET' && answer.status === 200) this.lastAnswers.set(request.path, answer);
    return answer;
  }

  private async answered(request: SandboxRequest): Promise<SandboxAnswer> {
    try {
      return await this.door.answer(request);
    } catch (error) {
      return { status: 500, body: { message: `the simulator failed: ${(error as Error).message}` } };
    }
  }

  /** Whether the call ends here, and nothing is done. */
  private strikesBefore(
    { effect, seconds, answer }: Fault,
    request: SandboxRequest,
    response: ServerResponse,
  ): boolean {
    const before = effect === 'stale_read' ? this.lastAnswers.get(request.path) : undefined;
    if (before) send(response, before);
    else if (effect === 'cut_before') response.destroy();
    else if (effect === 'too_many')
      response.writeHead(429, { 'retry-after': String(seconds ?? USUAL_REST_SECONDS) }).end();
    else if (effect === 'server_error') send(response, { status: 500, body: { message: 'asked for' } });
    else if (effect === 'garbage')
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
    else if (effect === 'answer') send(response, answer ?? { status: 500 });
    else return effect === 'silence_before';
    return true;
  }
}

/** The work is done. Whether that is the end of it. */
async function strikesAfter({ effect, seconds = 1 }: Fault, response: ServerResponse): Promise<boolean> {
  if (effect === 'cut_after') response.destroy();
  if (effect === 'server_error_after') send(response, { status: 500, body: { message: 'asked for' } });
  if (effect === 'slow') await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return ['cut_after', 'server_error_after', 'silence_after'].includes(effect);
}

/** Watchers see the answer as it was before: the new words are not held against any contract. */
function reworded({ body, ...answer }: SandboxAnswer, { words = {} }: Fault): SandboxAnswer {
  const changed = (name: string, value: unknown): unknown =>
    typeof value === 'string' && Object.hasOwn(words, name) ? words[name] : value;
  return { ...answer, body: JSON.parse(JSON.stringify(body ?? null, changed)) as unknown };
}

function send(response: ServerResponse, { status, body, html, headers = {} }: SandboxAnswer): void {
  const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8';
  response
    .writeHead(status, { 'content-type': type, ...headers })
    .end(html ?? (body === undefined ? '' : JSON.stringify(body)));
}

async function readRequest(incoming: IncomingMessage): Promise<SandboxRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://loopback');
  const { method = 'GET', headers } = incoming;
  return { method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks).toString('utf8') };
}
