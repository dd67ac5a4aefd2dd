/** Strangers ask from 300 addresses, all at once. Who has shown a key does not wait for one request of each of them. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { vouchFor } from '#libs/http-kit';
import { edgeServer } from './edge-server';
import { MOST_IN_A_TURN } from './request-turns';

const ADDRESSES = 300;
const AHEAD = 4;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('who has shown a key does not wait behind strangers of hundreds of addresses', async () => {
  let asked: string[] = [];
  const open: Socket[] = [];
  const server: Server = edgeServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/paid') vouchFor(request as never, 'client');
    response.end('x');
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
  const { port } = server.address() as AddressInfo;
  const dial = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  const caller = await dial('127.0.0.1');
  caller.write(get('/paid'));
  await once(caller, 'data');
  const strangers: Socket[] = [];
  for (let nth = 0; nth < ADDRESSES; nth += 1)
    strangers.push(await dial(`127.0.${7 + Math.floor(nth / 200)}.${1 + (nth % 200)}`));
  asked = [];
  for (const socket of strangers) socket.write(get('/stranger').repeat(AHEAD));
  await once(server, 'request');
  caller.write(get('/paid'));
  await once(caller, 'data');
  const before = asked.indexOf('/paid');
  for (const socket of open) socket.destroy();
  server.closeAllConnections();
  server.close();
  expect(before).toBeLessThan(4 * MOST_IN_A_TURN);
});
