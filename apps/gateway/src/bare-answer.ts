/** Answers that go out without Express: to what is no request, and to connections there is no place for. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '#libs/domain';
import { readNoMore } from '#libs/http-kit';
import { log } from '#libs/telemetry';

interface BareAnswer {
  status: number;
  code: string;
  message: string;
  retryAfter?: boolean;
}

/** Closed at once, what is still under way would reset the connection, and the sender might never see the answer. */
const LINGER_MS = 2_000;

export function answerBarely(socket: Socket, answer: BareAnswer): void {
  const requestId = newId();
  log.debug({ event: 'request', requestId, status: answer.status }, 'answered at the door');
  const isGone = socket.readableEnded;
  readNoMore(socket);
  socket.once('end', () => socket.destroy());
  socket.end(textOf(answer, requestId), () => isGone && socket.destroy());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function textOf({ status, code, message, retryAfter }: BareAnswer, requestId: string): string {
  const body = JSON.stringify({ error: code, message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(retryAfter ? ['Retry-After: 1'] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
