/** The open connections: how many there may be, and which have a request under way when the process stops. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { type GatewayRequest, whenVouchedFor } from '#libs/http-kit';
import { metrics } from '#libs/telemetry';
import { answerBarely } from './bare-answer';
import { Crowd, type Doing } from './crowd';
import { closeDoors } from './doors';
import { type AnswerUnderWay, UntakenAnswers } from './untaken-answers';

export const BYTES_OF_MIB = 1_048_576;

const FULL = {
  status: 503,
  code: 'service_unavailable',
  message: 'There are more connections than this process serves. Nothing was done: send the same request again.',
  retryAfter: true,
};

@Injectable()
export class Connections {
  private readonly servers: Server[] = [];
  private readonly underWay = new Map<Socket, Set<ServerResponse>>();
  private readonly callers = new WeakMap<Socket, string>();
  private readonly untaken: UntakenAnswers;
  private stopping = false;
  private readonly whenDrained: (() => void)[] = [];

  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<
      Config,
      'maxConnections' | 'maxConnectionsPerAddress' | 'proxyHops' | 'bodyMemoryMib'
    >,
  ) {
    this.untaken = new UntakenAnswers(() => this.answersUnderWay(), config.bodyMemoryMib * BYTES_OF_MIB);
  }

  /** Each door has a crowd of its own: however many callers come, who operates or watches the process gets in by theirs. */
  watch(server: Server): void {
    this.servers.push(server);
    const { maxConnections, maxConnectionsPerAddress, proxyHops } = this.config;
    // Behind a proxy every connection comes from it.
    const perAddress = proxyHops > 0 ? Infinity : maxConnectionsPerAddress;
    const crowd = new Crowd({ all: maxConnections, perAddress }, (socket) => this.doingOf(socket));
    server.on('connection', (socket: Socket) => this.opened(socket, crowd));
    server.prependListener('request', ({ socket }, response: ServerResponse) => this.began(socket, response));
  }

  /** Nobody gets in any more. Node's own close would wait for whoever has sent nothing yet, and serve on whom it kept. */
  stop(): void {
    this.stopping = true;
    this.untaken.hurry();
    for (const server of this.servers) closeDoors(server);
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

  private opened(socket: Socket, crowd: Crowd): void {
    if (this.stopping) return void socket.destroy();
    this.underWay.set(socket, new Set());
    metrics.connections.inc();
    socket.once('close', () => {
      this.underWay.delete(socket);
      metrics.connections.dec();
      this.look();
    });
    whenVouchedFor(socket, (caller) => {
      this.callers.set(socket, caller);
      for (const one of crowd.recognise(socket, caller)) this.turnAway(one);
    });
    this.turnAway(crowd.add(socket));
  }

  private doingOf(socket: Socket): Doing {
    const [response] = this.underWay.get(socket) ?? [];
    if (!response) return 'nothing';
    if (response.headersSent) return 'taking';
    if ((response.req as GatewayRequest).isPutOff) return 'refused';
    return response.req.complete ? 'waiting' : 'sending';
  }

  private turnAway(socket: Socket | null): void {
    if (!socket) return;
    metrics.turnedAway.inc({ for: 'connections' });
    const doing = this.doingOf(socket);
    if (doing === 'nothing' || doing === 'sending') answerBarely(socket, FULL);
    socket.destroy();
  }

  private began(socket: Socket, response: ServerResponse): void {
    if (!socket.writable) return; // the rest of a packet whose sender was cut off
    this.underWay.get(socket)?.add(response);
    if (this.stopping) sayClose(response);
    response.once('close', () => this.ended(socket, response));
  }

  private ended(socket: Socket, response: ServerResponse): void {
    const responses = this.underWay.get(socket);
    responses?.delete(response);
    if (this.stopping && responses?.size === 0) socket.destroySoon();
  }

  /** Of each connection the one whose turn it is. */
  private *answersUnderWay(): Iterable<AnswerUnderWay> {
    for (const [socket, [response]] of this.underWay)
      if (response) yield { response, caller: this.callers.get(socket) };
  }

  private look(): void {
    if (this.stopping && this.underWay.size === 0) for (const settle of this.whenDrained.splice(0)) settle();
  }
}

function sayClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
