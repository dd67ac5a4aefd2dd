/** Strangers ask for the script of the API reference, all at once. Its bytes are handed over once in a turn: whoever connects meanwhile is let in. */
import { once } from 'node:events';
import { type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express, { type Request } from 'express';
import { serveAssets } from './api-reference.assets';
import { EXPLORER } from './api-reference.page';
import { edgeServer } from './edge-server';
import { LargeAnswers } from './large-answers';

const CONNECTIONS = 64;

describe('large answers', () => {
  const open: Socket[] = [];
  let server: Server;
  beforeEach(async () => {
    const app = express();
    serveAssets(app, new LargeAnswers());
    server = edgeServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  const connected = async (): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    open.push(socket.on('data', () => undefined));
    await once(socket, 'connect');
  };
  /** How many went out in each turn of the event loop. */
  const sentInTurns = async (count: number): Promise<number[]> => {
    const turns = [0];
    let sent = 0;
    const end = ServerResponse.prototype.end as (this: ServerResponse, ...args: unknown[]) => ServerResponse;
    jest.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...args) {
      turns.push((turns.pop() ?? 0) + 1);
      sent += 1;
      return end.apply(this, args);
    });
    for (const socket of open) socket.write(`GET /docs/${EXPLORER} HTTP/1.1\r\nHost: a\r\n\r\n`);
    while (sent < count) {
      await nextTurn();
      turns.push(0);
    }
    return turns;
  };

  test('go out one in a turn', async () => {
    for (let count = 0; count < CONNECTIONS; count += 1) await connected();
    const turns = await sentInTurns(CONNECTIONS);
    expect(Math.max(...turns)).toBeLessThanOrEqual(2);
  });

  test('go out in turns of those who asked', async () => {
    const answers = new LargeAnswers();
    const order: string[] = [];
    const ask = (remoteAddress: string): void =>
      answers.inTurn({ socket: { remoteAddress } } as Request, () => order.push(remoteAddress));
    for (let count = 0; count < CONNECTIONS; count += 1) ask('127.0.0.1');
    ask('127.0.1.1');
    while (order.length <= CONNECTIONS) await nextTurn();
    expect(order.indexOf('127.0.1.1')).toBe(1);
  });
});
