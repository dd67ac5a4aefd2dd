/** Heads that were sent ahead take memory once they are parsed, ten times as much as their bytes: they are parsed when it is their turn. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { edgeServer } from './edge-server';

const AHEAD = 20;
const HEAD = `GET / HTTP/1.1\r\nHost: g\r\n${'abcd:e\r\n'.repeat(190)}\r\n`;

describe('requests that were sent in one packet', () => {
  let server: Server;
  let socket: Socket;
  let parsed = 0;
  const begun: ServerResponse[] = [];
  beforeAll(async () => {
    server = edgeServer((_, response) => void begun.push(response));
    server.prependListener('request', () => (parsed += 1));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
  });
  afterAll(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  test('are parsed a few at a time, and all of them are served in their order', async () => {
    socket.resume().write(HEAD.repeat(AHEAD));
    for (let served = 1; served <= AHEAD; served += 1) {
      while (begun.length < served) await new Promise(setImmediate);
      expect(parsed - served).toBeLessThan(5);
      expect(begun).toHaveLength(served);
      begun[served - 1]?.end();
      while (begun.length === served && served < AHEAD) await new Promise(setImmediate);
    }
  });
});
