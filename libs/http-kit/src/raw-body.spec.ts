import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Refusal } from '#libs/domain';
import { BodyRoom, type Sender } from './body-room';
import type { GatewayRequest } from './gateway-request';
import { leaveRefusedUnread, readRawBody } from './raw-body';

const MIB = 1_048_576;
const CALLER: Sender = { name: 'a', known: true };

describe('the bytes of a body', () => {
  let server: Server;
  let who: () => Promise<Sender | null>;
  const open: Socket[] = [];
  beforeEach(async () => {
    who = () => Promise.resolve(CALLER);
    const app = express();
    app.use('/refused', (_: Request, __: Response, next: NextFunction) => next(new Refusal('not_found', 'no')));
    app.use(leaveRefusedUnread);
    app.use(readRawBody(() => who(), new BodyRoom(16 * MIB)));
    app.use((request: Request, response: Response) => {
      response.end(`got ${(request as GatewayRequest).rawBody.length}`);
    });
    app.use((refusal: Refusal, _: Request, response: Response, __: NextFunction) => {
      response.status(refusal.status).end(refusal.code);
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  const head = (path = '/'): string => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const pieces = (count: number, bytes: number): string =>
    `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count);
  const END = '0\r\n\r\n';

  /** What comes back, up to the end of an answer. */
  const answerTo = async (bytes: string): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket.on('error', () => undefined));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.write(bytes);
    while (!/\r\n\r\n./s.test(text)) await once(socket, 'data');
    return text;
  };

  test.each([
    ['a thousand of one byte', pieces(1_000, 1), 1_000],
    ['a mebibyte in pieces of 40', pieces(26_000, 40), 1_040_000],
    ['one', pieces(1, 60_000), 60_000],
  ])('may come in pieces: %s', async (_, sent, length) => {
    expect(await answerTo(head() + sent + END)).toContain(`got ${length}`);
  });

  test.each([
    ['tens of thousands of one byte', pieces(50_000, 1)],
    ['as many of 20', pieces(30_000, 20)],
  ])('are refused where there are more pieces than anybody makes of them: %s', async (_, sent) => {
    const text = await answerTo(head() + sent);
    expect(text).toMatch(/^HTTP\/1\.1 400 .*\r\nconnection: close\r\n.*invalid_request/is);
  });

  test.each([
    ['nobody is to be asked for it', '/refused', () => Promise.resolve(CALLER), 'not_found'],
    ['nobody is known to send it', '/', () => Promise.reject(new Refusal('invalid_api_key', 'no')), 'invalid_api_key'],
  ])('are not parsed any more once they are refused: %s', async (_, path, asked, code) => {
    who = asked;
    const parsed: number[] = [0];
    server.on('request', (request) => request.on('data', () => parsed.push(1)));
    const text = await answerTo(head(path) + pieces(200_000, 1));
    expect(text).toMatch(new RegExp(`\\r\\nconnection: close\\r\\n.*${code}`, 'is'));
    expect(parsed.length).toBeLessThan(50_000);
  });
});
