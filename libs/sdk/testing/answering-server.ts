/** A server that answers as it is told, request by request, and keeps what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Reply = (response: ServerResponse) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
      .end(JSON.stringify(body));
export const hangUp: Reply = (response) => void response.socket?.destroy();

export class AnsweringServer {
  asked: Asked[] = [];
  /** One for each request to come; then `{ id }`. */
  replies: Reply[] = [];
  private readonly server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      this.asked.push({ method, target: url, headers, body });
      (this.replies.shift() ?? json(200, { id: 'p1' }))(response);
    });
  });

  static async start(): Promise<AnsweringServer> {
    const started = new AnsweringServer();
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  begin(replies: Reply[] = []): void {
    this.asked = [];
    this.replies = replies;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
