/**
 * Strangers send bodies in pieces of one byte over hundreds of connections. Who has shown a key waits for its turn, and not for all of theirs; and what
 * nobody reads yet takes no more memory than its bytes (7).
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { vouchFor } from '#libs/http-kit';
import { edgeServer } from './edge-server';

const CONNECTIONS = 600;
const PIECES = 9_000;
const head = 'POST /stranger HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('bodies of strangers in pieces of one byte', () => {
  const open: Socket[] = [];
  let held: number[] = [];
  let begun = 0;
  let server: Server;
  beforeEach(async () => {
    [held, begun] = [[], 0];
    server = edgeServer((request, response) => {
      if (request.url === '/paid') {
        vouchFor(request as never, 'client');
        return void response.end('x');
      }
      begun += 1;
      held.push(request.readableLength);
      request.resume().once('end', () => response.end('x'));
    });
    await once(server.listen(0, '0.0.0.0'), 'listening');
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  const dial = async (localAddress: string): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  const strangers = async (): Promise<Socket[]> => {
    const dialled: Socket[] = [];
    for (let nth = 0; nth < CONNECTIONS; nth += 1) dialled.push(await dial(`127.0.7.${1 + (nth % 200)}`));
    return dialled;
  };

  test('keep nobody with a key waiting for all of them', async () => {
    const one = await dial('127.0.0.1');
    one.write('GET /paid HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(one, 'data');
    for (const socket of await strangers()) socket.write(head + '1\r\na\r\n'.repeat(PIECES));
    await once(server, 'request');
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    let turns = 0;
    let isAnswered = false;
    one.once('data', () => (isAnswered = true)).write('GET /paid HTTP/1.1\r\nHost: a\r\n\r\n');
    while (!isAnswered) {
      await nextTurn();
      turns += 1;
    }
    expect(turns).toBeLessThan(6);
  });

  test('are not kept as thousands of pieces before they are begun', async () => {
    for (const socket of await strangers()) socket.write(head + '1\r\na\r\n'.repeat(PIECES));
    while (begun < CONNECTIONS) await nextTurn();
    expect(Math.max(...held)).toBe(0);
  });
});
