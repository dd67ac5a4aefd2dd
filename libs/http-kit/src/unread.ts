/** How a request is answered whose body is not worth reading: at once, and its connection ends with the answer. */
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** Closed at once, what is still under way would reset the connection, and the sender might never see the answer. */
const LINGER_MS = 2_000;

const ending = new WeakSet<Socket>();

/**
 * Of so many connections something is thrown away in one turn of the event loop. Read without a pause, each of a hundred takes two megabytes of it,
 * and nobody else is answered meanwhile.
 */
const READ_AT_ONCE = 4;

const waiting: Socket[] = [];

/**
 * Whatever still arrives is thrown away as bytes. Parsing it would cost far more: 64 KiB hold ten thousand pieces of a body, or heads that
 * stay in memory as long as the connection. Node's parser lets go of a socket that somebody else reads.
 */
export function readNoMore(socket: Socket): void {
  socket.emit('resume'); // its reading may stand still, and only that parser's own listeners start it again
  socket.removeAllListeners('data');
  socket.on('data', () => readLater(socket));
  readLater(socket);
}

function readLater(socket: Socket): void {
  socket.pause();
  if (waiting.push(socket) === 1) setImmediate(readOn);
}

function readOn(): void {
  for (const socket of waiting.splice(0, READ_AT_ONCE)) socket.resume();
  if (waiting.length > 0) setImmediate(readOn);
}

export function leaveUnread({ socket }: Request, response: Response): void {
  response.setHeader('connection', 'close');
  if (ending.has(socket)) return;
  ending.add(socket);
  readNoMore(socket);
  // Node calls this once the answer is written. The other side has a moment to take it.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Anything after such a request on its connection is thrown away with it. */
export const isLeft = ({ socket }: Request): boolean => ending.has(socket);
