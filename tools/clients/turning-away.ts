/** A proxy before the gateway that first turns payouts away, as a busy gateway does, and then passes everything on. */
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Refusal = (response: ServerResponse) => void;

const json = (status: number, error: string, headers: Record<string, string>): Refusal => {
  const body = JSON.stringify({ error });
  return (response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};
/** Each once, for the first payouts that are asked for. */
const REFUSALS: Refusal[] = [
  json(503, 'service_unavailable', { 'retry-after': '1' }),
  json(429, 'rate_limited', { 'ratelimit-limit': '600', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' }),
  (response) => response.socket?.destroy(),
];

export class TurningAway {
  turnedAway = 0;
  private readonly server: Server;

  private constructor(gatewayUrl: string) {
    this.server = createServer((request, response) => this.take(request, response, gatewayUrl));
  }

  static async start(gatewayUrl: string): Promise<TurningAway> {
    const proxy = new TurningAway(gatewayUrl);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get refusals(): number {
    return REFUSALS.length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(request: IncomingMessage, response: ServerResponse, gatewayUrl: string): void {
    const refuse = request.method === 'POST' && request.url === '/api/v1/payouts' && REFUSALS[this.turnedAway];
    if (!refuse) return passOn(request, response, gatewayUrl);
    this.turnedAway += 1;
    request.resume().once('end', () => refuse(response));
  }
}

function passOn(request: IncomingMessage, response: ServerResponse, gatewayUrl: string): void {
  const { method, url = '/', headers } = request;
  const onward = ask(new URL(url, gatewayUrl), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.once('error', () => response.destroy());
  request.pipe(onward);
}
