/** A caller's webhook endpoint: a real HTTP server on loopback that keeps what it gets and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Behaviour = (response: ServerResponse, received: Received, nth: number) => void;

const acknowledge: Behaviour = (response) => void response.writeHead(204).end();

export class Receiver {
  readonly received: Received[] = [];
  private behaviour: Behaviour = acknowledge;
  private readonly server = createServer(
    (request, response) => void this.take(request, response).catch(() => undefined),
  );
  private readonly watchers = new Set<() => void>();

  async start(port = 0): Promise<this> {
    await new Promise<void>((ready) => this.server.listen(port, '127.0.0.1', ready));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  reset(): void {
    this.received.length = 0;
    this.behaviour = acknowledge;
  }

  /** Once this many deliveries came in. */
  got(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.received.length < count) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
      look();
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
    const received = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    const nth = this.received.push(received);
    this.behaviour(response, received, nth);
    for (const watcher of this.watchers) watcher();
  }
}
