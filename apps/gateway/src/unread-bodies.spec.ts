/** What is not worth reading takes little of each turn of the event loop, however many connections send it without an end. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readNoMore } from '#libs/http-kit';
import { edgeServer } from './edge-server';

const SENDERS = 30;
const BYTES_OF_EACH = 1_048_576;
/** Four connections, of each what one reading takes, and what came meanwhile. */
const MOST_IN_A_TURN = 524_288;
/** What a connection has read when it is found not to be worth it. */
const BEFORE = 131_072;

test('endless bodies that nobody reads leave room in each turn, and are all read to their end', async () => {
  const sockets: Socket[] = [];
  const server = edgeServer(({ socket }) => {
    readNoMore(socket);
    sockets.push(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const senders = Array.from({ length: SENDERS }, () => connect((server.address() as AddressInfo).port, '127.0.0.1'));
  for (const sender of senders) {
    sender.write(`POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${BYTES_OF_EACH}\r\n\r\n`);
    sender.end(Buffer.alloc(BYTES_OF_EACH));
  }
  const readSoFar = (): number => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  let [most, before, count] = [0, 0, 0];
  while (sockets.length < SENDERS || before < SENDERS * BYTES_OF_EACH) {
    await nextTurn();
    most = Math.max(most, readSoFar() - before - (sockets.length - count) * BEFORE);
    [before, count] = [readSoFar(), sockets.length];
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN);
  for (const sender of senders) sender.destroy();
  server.close();
  server.closeAllConnections();
});
