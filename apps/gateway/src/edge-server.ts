/** A server as each port has one: limits for slow callers, one request of a connection at a time, and an answer to anything. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { readNoMore } from '#libs/http-kit';
import { answerBarely } from './bare-answer';
import { ReadTurns } from './read-turns';
import { RequestTurns } from './request-turns';

/** A caller that dribbles is cut off: its headers after 10 s, its body after 25 s. */
const SLOW_CALLERS = {
  headersTimeout: 10_000,
  requestTimeout: 25_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
};

/** Proxies and libraries add some dozens. Each of 4,000 that fit into 16 KiB takes memory as long as it waits. */
export const MOST_HEADERS = 200;

export function edgeServer(serve: RequestListener): Server {
  const turns = new RequestTurns(serve, (socket) => reads.goOn(socket));
  const reads = new ReadTurns(turns);
  const refused = new WeakSet<Socket>();
  const refuse = (socket: Socket, answer: typeof BAD): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    readNoMore(socket);
    turns.lastly(socket, () => answerBarely(socket, answer));
  };
  // Node would answer a missing Host by itself, without an id and a body.
  const server = createServer({ ...SLOW_CALLERS, requireHostHeader: false }, (request, response) => {
    reads.readRequest();
    if (refused.has(request.socket)) return; // the rest of a packet
    if (request.rawHeaders.length > 2 * MOST_HEADERS) refuse(request.socket, TOO_MANY_HEADERS);
    else turns.come(request, response);
  });
  server.on('connection', (socket: Socket) => reads.watch(socket));
  // One more than may be: Node drops those behind, and a head that has it is refused whatever they say.
  server.maxHeadersCount = MOST_HEADERS + 1;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Node would end the connection without a word, and without the answers to what came before.
  server.on('connect', (_, stream) =>
    refuse(
      (stream as Socket).on('error', () => undefined),
      BAD,
    ),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (!socket.writable || !isUnreadable(error)) return refused.has(socket) ? undefined : void socket.destroy();
    refuse(socket, UNREADABLE[error.code ?? ''] ?? BAD);
  });
  return server;
}

/** Of a connection that is gone nobody needs to be told. */
const isUnreadable = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT';

const BAD = { status: 400, code: 'invalid_request', message: 'This is no HTTP request that can be read in one way.' };

const TOO_MANY_HEADERS = { ...BAD, status: 431, message: `Send at most ${MOST_HEADERS} headers.` };

const UNREADABLE: Record<string, typeof BAD> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'invalid_request', message: 'Send a path and headers of 16 KiB at most.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'payload_too_large', message: 'Send chunks without extensions.' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_request',
    message: 'The request took too long to arrive. Nothing was done: send it again.',
  },
};
