// Many connections that each send 1 MiB and never end: what memory they take, and what of it stays.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMiB } from '../usage.mjs';

const CONNECTIONS = 400;
const BODY_BYTES = 1_048_576;
const HOLD_MS = 4_000;
const REST_MS = 4_000;

/** Resident memory in MiB: before, at most, and a while after all of them are gone. */
export async function flood({ port, pid }, key) {
  const before = residentMiB(pid);
  const head = [
    'POST /api/v1/payees HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    `Content-Length: ${BODY_BYTES}`,
    '',
    '',
  ].join('\r\n');
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => opened(port)));
  for (const socket of sockets) socket.write(head + 'x'.repeat(BODY_BYTES - 1));
  let most = before;
  for (const until = performance.now() + HOLD_MS; performance.now() < until; await pause(50))
    most = Math.max(most, residentMiB(pid));
  for (const socket of sockets) socket.destroy();
  await pause(REST_MS);
  return { before, most, after: residentMiB(pid) };
}

async function opened(port) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket.resume();
}
