/** How a request is answered whose body is not worth reading: at once, and its connection ends with the answer. */
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** Closed at once, what is still under way would reset the connection, and the sender might never see the answer. */
const LINGER_MS = 2_000;

const ending = new WeakSet<Socket>();

export function leaveUnread({ socket }: Request, response: Response): void {
  response.setHeader('connection', 'close');
  if (ending.has(socket)) return;
  ending.add(socket);
  // Node calls this once the answer is written. Until the other side is through, what it sends is thrown away.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** What comes after such a request on its connection is thrown away with it. */
export const isLeft = ({ socket }: Request): boolean => ending.has(socket);
