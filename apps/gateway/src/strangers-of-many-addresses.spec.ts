/**
 * Strangers ask from 300 addresses, all at once. Who has shown a key does not wait for one request of each of them, nor they for all of theirs. If they
 * send bodies in pieces of one byte, nobody waits for all of these, and what nobody reads yet takes no more memory than its bytes (7).
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { vouchFor } from '#libs/http-kit';
import { edgeServer } from './edge-server';
import { MOST_IN_A_TURN } from './request-turns';

const ADDRESSES = 300;
const AHEAD = 4;
const CONNECTIONS = 40;
const PIECES = 9_000;
const IN_PIECES = `POST /pieces HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(PIECES)}`;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe('strangers of hundreds of addresses', () => {
  const open: Socket[] = [];
  let asked: string[] = [];
  let held: number[] = [];
  let server: Server;
  beforeEach(async () => {
    [asked, held] = [[], []];
    server = edgeServer((request, response) => {
      asked.push(request.url ?? '');
      held.push(request.readableLength);
      if (request.url === '/paid') vouchFor(request as never, 'client');
      if (request.url === '/body') void nextTurn().then(() => takeBody(request, response));
      else if (request.url === '/pieces') request.resume().once('end', () => response.end('x'));
      else response.end('x');
    });
    await once(server.listen(0, '0.0.0.0'), 'listening');
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** The key is looked up before a body is read. */
  const takeBody = (request: IncomingMessage, response: ServerResponse): void => {
    vouchFor(request as never, 'client');
    request.resume().once('end', () => response.end('x'));
  };
  const turnsUntilAnswered = async (one: Socket, bytes: string): Promise<number> => {
    let isAnswered = false;
    one.once('data', () => (isAnswered = true)).write(bytes);
    let turns = 0;
    for (; !isAnswered; turns += 1) await nextTurn();
    return turns;
  };
  const dial = async (localAddress: string): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  const strangers = async (most = ADDRESSES): Promise<Socket[]> => {
    const dialled: Socket[] = [];
    for (let nth = 0; nth < most; nth += 1)
      dialled.push(await dial(`127.0.${7 + Math.floor(nth / 200)}.${1 + (nth % 200)}`));
    return dialled;
  };
  const caller = async (): Promise<Socket> => {
    const socket = await dial('127.0.0.1');
    socket.write(get('/paid'));
    await once(socket, 'data');
    return socket;
  };

  test('do not stand before who has shown a key', async () => {
    const [one, others] = [await caller(), await strangers()];
    asked = [];
    for (const socket of others) socket.write(get('/stranger').repeat(AHEAD));
    await once(server, 'request');
    one.write(get('/paid'));
    await once(one, 'data');
    expect(asked.indexOf('/paid')).toBeLessThan(4 * MOST_IN_A_TURN);
  });

  test('have their turns beside one caller who keeps many connections busy', async () => {
    const callers: Socket[] = [];
    while (callers.length < CONNECTIONS) callers.push(await caller());
    const others = await strangers();
    asked = [];
    for (const socket of callers) socket.on('data', () => socket.write(get('/paid'))).write(get('/paid'));
    for (const socket of others) socket.write(get('/stranger'));
    while (asked.filter((path) => path === '/stranger').length < ADDRESSES) await nextTurn();
    expect(asked.filter((path) => path === '/paid').length).toBeLessThan(ADDRESSES);
  });

  test('do not stand before who has shown a key by bodies in pieces', async () => {
    const [one, others] = [await caller(), await strangers(2 * ADDRESSES)];
    for (const socket of others) socket.write(IN_PIECES);
    await once(server, 'request');
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(await turnsUntilAnswered(one, get('/paid'))).toBeLessThan(6);
  });

  test('do not stand before the first body of who has just shown a key', async () => {
    const [one, others] = [await dial('127.0.0.1'), await strangers(2 * ADDRESSES)];
    for (const socket of others) socket.write(IN_PIECES);
    while (asked.length < 2 * ADDRESSES) await nextTurn();
    const turns = await turnsUntilAnswered(one, 'POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    expect(turns).toBeLessThan(12);
  });

  test('have no piece of a body taken before their request began', async () => {
    for (const socket of await strangers()) socket.write(IN_PIECES);
    while (asked.length < ADDRESSES) await nextTurn();
    expect(Math.max(...held)).toBe(0);
  });
});
