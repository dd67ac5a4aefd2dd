/** A caller's webhook endpoint for the suite: keeps every delivery, and answers as the spec wants it to. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HANGS_MS } from './api';
import { freePort } from './free-port';

export interface CaughtDelivery {
  headers: IncomingHttpHeaders;
  /** The exact bytes, for the signature. */
  rawBody: Buffer;
  /** undefined if the body is no JSON. */
  json: unknown;
  /** Milliseconds since the suite began. */
  at: number;
  path: string;
}

/** Must end the response, or leave it hanging on purpose. */
export type Behaviour = (delivery: CaughtDelivery, response: ServerResponse) => void;

const acknowledge: Behaviour = (_delivery, response) => void response.writeHead(204).end();

export class WebhookCatcher {
  readonly received: CaughtDelivery[] = [];
  /** A sender that is killed ends its request in the middle: then nothing was delivered. */
  private readonly server = createServer(
    (request, response) => void this.take(request, response).catch(() => undefined),
  );
  private readonly watchers = new Set<(delivery: CaughtDelivery) => void>();
  private behaviour: Behaviour = acknowledge;

  /** `port` only to come back where an earlier catcher was. */
  async start(port?: number): Promise<this> {
    const at = port ?? (await freePort());
    await new Promise<void>((ready, failed) => this.server.once('error', failed).listen(at, '127.0.0.1', ready));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** From now on; without one, every delivery is acknowledged again. */
  behave(behaviour: Behaviour = acknowledge): void {
    this.behaviour = behaviour;
  }

  /** The first delivery that is like this, among those that came and those to come. */
  waitFor(predicate: (delivery: CaughtDelivery) => boolean, timeoutMs = HANGS_MS): Promise<CaughtDelivery> {
    const there = this.received.find(predicate);
    if (there) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const look = (delivery: CaughtDelivery): void => {
        if (!predicate(delivery)) return;
        this.watchers.delete(look);
        clearTimeout(timer);
        resolve(delivery);
      };
      const timer = setTimeout(() => {
        this.watchers.delete(look);
        reject(new Error(`No such delivery within ${timeoutMs} ms. There were ${this.summary()}.`));
      }, timeoutMs);
      this.watchers.add(look);
    });
  }

  stop(): Promise<void> {
    return new Promise((stopped) => {
      this.server.close(() => stopped());
      this.server.closeAllConnections();
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const rawBody = Buffer.concat(chunks);
    const { headers, url = '' } = request;
    const delivery = { headers, rawBody, json: parsed(rawBody), at: performance.now(), path: url };
    this.received.push(delivery);
    this.behaviour(delivery, response);
    for (const look of [...this.watchers]) look(delivery);
  }

  private summary(): string {
    const words = this.received.slice(-10).map(({ json }) => {
      const { type, status } = (json ?? {}) as { type?: string; status?: string };
      return [type, status].filter(Boolean).join(' ') || 'something else';
    });
    return `${this.received.length}, the last of them: ${words.join(', ') || 'none'}`;
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
