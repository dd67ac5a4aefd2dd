/** The open connections: how many there may be, and which have a request under way when the process stops. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { metrics } from '#libs/telemetry';
import { Crowd } from './crowd';

const FULL = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: application/json; charset=utf-8',
  'Retry-After: 1',
  'Connection: close',
  '',
  '{"error":"service_unavailable","message":"There are more connections than this process serves. Try again."}',
].join('\r\n');

@Injectable()
export class Connections {
  private readonly servers: Server[] = [];
  private readonly underWay = new Map<Socket, Set<ServerResponse>>();
  private stopping = false;
  private readonly whenDrained: (() => void)[] = [];
  private readonly crowd: Crowd;

  constructor(@Inject(CONFIG) config: Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'proxyHops'>) {
    // Behind a proxy every connection comes from it.
    const perAddress = config.proxyHops > 0 ? Infinity : config.maxConnectionsPerAddress;
    this.crowd = new Crowd({ all: config.maxConnections, perAddress }, (socket) => this.isBusy(socket));
  }

  watch(server: Server): void {
    this.servers.push(server);
    server.on('connection', (socket: Socket) => this.opened(socket));
    server.prependListener('request', ({ socket }, response: ServerResponse) => this.began(socket, response));
  }

  /** Nobody gets in any more. Node's own close would wait for whoever has sent nothing yet, and serve on whom it kept. */
  stop(): void {
    this.stopping = true;
    for (const server of this.servers) server.close();
    for (const [socket, responses] of this.underWay) {
      if (responses.size === 0) socket.destroy();
      for (const response of responses) sayClose(response);
    }
    this.look();
  }

  /** Once every request that was under way is answered. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.whenDrained.push(resolve);
      this.look();
    });
  }

  /** Of a request that is still being sent nothing was done yet. */
  cutUnread(): void {
    for (const [socket, responses] of this.underWay)
      if ([...responses].every(({ req }) => !req.complete)) socket.destroy();
  }

  private opened(socket: Socket): void {
    if (this.stopping) return void socket.destroy();
    this.underWay.set(socket, new Set());
    metrics.connections.inc();
    socket.once('close', () => {
      this.underWay.delete(socket);
      metrics.connections.dec();
      this.look();
    });
    const superfluous = this.crowd.add(socket);
    if (superfluous) this.turnAway(superfluous);
  }

  private isBusy(socket: Socket): boolean {
    return (this.underWay.get(socket)?.size ?? 0) > 0;
  }

  private turnAway(socket: Socket): void {
    metrics.turnedAway.inc({ for: 'connections' });
    if (!this.isBusy(socket)) socket.write(FULL);
    socket.destroy();
  }

  private began(socket: Socket, response: ServerResponse): void {
    this.underWay.get(socket)?.add(response);
    if (this.stopping) sayClose(response);
    response.once('close', () => this.ended(socket, response));
  }

  private ended(socket: Socket, response: ServerResponse): void {
    const responses = this.underWay.get(socket);
    responses?.delete(response);
    if (this.stopping && responses?.size === 0) socket.destroySoon();
  }

  private look(): void {
    if (this.stopping && this.underWay.size === 0) for (const settle of this.whenDrained.splice(0)) settle();
  }
}

function sayClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
