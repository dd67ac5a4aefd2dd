import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Connections } from './connections';
import { edgeServer, MOST_HEADERS } from './edge-server';
import { BYTES_IN_A_TURN } from './read-turns';
import { UntakenAnswers } from './untaken-answers';
import { MOST_IN_A_TURN } from './request-turns';

const AHEAD = 32;
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const statusesIn = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));

describe('a server of the edge', () => {
  let server: Server;
  let serve: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: string[];
  const open: Socket[] = [];
  beforeEach(async () => {
    asked = [];
    serve = (request, response) => response.end(request.url);
    server = edgeServer((request, response) => {
      asked.push(request.url ?? '');
      serve(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  const dial = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  /** All that comes back until the server ends the connection. */
  const answerTo = async (bytes: string): Promise<string> => {
    const socket = await dial();
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  };

  test('begins a request when the one before it on its connection is answered, and others have their turn', async () => {
    const held: ServerResponse[] = [];
    serve = (_, response) => void held.push(response);
    const [first, second] = [await dial(), await dial()];
    first.write(get('/1') + get('/2') + get('/3'));
    while (held.length < 1) await once(server, 'request');
    second.write(get('/other'));
    while (held.length < 2) await once(server, 'request');
    expect(asked).toEqual(['/1', '/other']);
    serve = (_, response) => response.end('x');
    held[0]?.end('x');
    for (let text = ''; statusesIn(text).length < 3;) text += String((await once(first, 'data'))[0]);
    expect(asked).toEqual(['/1', '/other', '/2', '/3']);
  });

  test('turns of a packet of requests are not all one turn of the process', async () => {
    let turns = 0;
    const seen: number[] = [];
    let counting = true;
    const count = (): void => void (counting && setImmediate().then(() => (turns++, count())));
    count();
    serve = (_, response) => {
      seen.push(turns);
      response.end('x');
    };
    await answerTo(get('/').repeat(20) + get('/', 'Connection: close\r\n'));
    counting = false;
    expect(new Set(seen).size).toBe(21);
  });

  test('requests that many connections send at the same moment are not all begun in one turn of the process', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 200; count += 1) sockets.push(await dial());
    const begun: number[] = [0];
    let counting = true;
    const count = (): void => void (counting && setImmediate().then(() => (begun.push(0), count())));
    count();
    serve = (_, response) => {
      begun[begun.length - 1] = (begun.at(-1) ?? 0) + 1;
      response.end('x');
    };
    for (const socket of sockets) socket.write(get('/'));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    counting = false;
    expect(asked.length).toBe(200);
    expect(Math.max(...begun)).toBeLessThanOrEqual(MOST_IN_A_TURN);
  });

  test('senders take turns: who keeps many connections busy does not stand before somebody who has one', async () => {
    serve = ({ url, socket }, response) => {
      socket.emit('vouchedFor', url); // a key that came over it
      response.end('x');
    };
    const many: Socket[] = [];
    for (let count = 0; count < 200; count += 1) many.push(await dial());
    const one = await dial();
    for (const socket of many) socket.write(get('/many'));
    one.write(get('/one'));
    await Promise.all([...many, one].map((socket) => once(socket, 'data')));
    asked = [];
    for (const socket of many) socket.write(get('/many'));
    one.write(get('/one'));
    await Promise.all([...many, one].map((socket) => once(socket, 'data')));
    expect(asked.indexOf('/one')).toBeLessThan(3 * MOST_IN_A_TURN);
  });

  test('what many connections send at the same moment is not all parsed in one turn of the process', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 60; count += 1) sockets.push(await dial());
    const parsed: number[] = [0];
    let counting = true;
    const count = (): void => void (counting && setImmediate().then(() => (parsed.push(0), count())));
    serve = (request, response) => {
      let bytes = 0;
      request.on('data', (piece: Buffer) => {
        bytes += piece.length;
        parsed[parsed.length - 1] = (parsed.at(-1) ?? 0) + piece.length;
      });
      request.on('end', () => response.end(`got ${bytes}`));
    };
    const body = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 120000\r\n\r\n${'x'.repeat(120_000)}`;
    for (const socket of sockets) socket.write(body);
    count();
    const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    counting = false;
    for (const [answer] of answers) expect(String(answer)).toContain('got 120000');
    expect(Math.max(...parsed)).toBeLessThanOrEqual(2 * BYTES_IN_A_TURN);
  });

  test('however many are sent ahead, they wait as bytes and not as requests, and each is served', async () => {
    let come = 0;
    let ahead = 0;
    server.prependListener('request', () => (ahead = Math.max(ahead, ++come - asked.length)));
    serve = (_, response) => void setImmediate().then(() => response.end('x'));
    const text = await answerTo('GET /1 HTTP/1.1\r\n\r\n'.repeat(300) + get('/', 'Connection: close\r\n'));
    expect(statusesIn(text)).toHaveLength(301);
    expect(ahead).toBeLessThanOrEqual(2);
  });

  test('small packets of requests from many connections are not all parsed in one turn of the process', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 800; count += 1) sockets.push(await dial());
    const come: number[] = [0];
    let counting = true;
    const count = (): void => void (counting && setImmediate().then(() => (come.push(0), count())));
    count();
    server.prependListener('request', () => (come[come.length - 1] = (come.at(-1) ?? 0) + 1));
    serve = (request, response) => void request.resume().once('end', () => response.end('x'));
    for (const socket of sockets) socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    counting = false;
    expect(Math.max(...come)).toBeLessThanOrEqual((2 * BYTES_IN_A_TURN) / 1_024);
  });

  test('while one waits nothing more is read, though others end', async () => {
    const held: ServerResponse[] = [];
    serve = (_, response) => void held.push(response);
    let come = 0;
    server.prependListener('request', () => (come += 1));
    const wide = get('/', `x: ${'a'.repeat(15_000)}\r\n`);
    const seen: number[] = [];
    const perPacket = Math.ceil(65_536 / wide.length);
    const socket = await dial();
    socket.write(wide.repeat(AHEAD));
    for (let ended = 0; ended < AHEAD; ended += 1) {
      while (held.length <= ended) await once(server, 'request').then(() => setImmediate());
      await Promise.all([once(held[ended] as ServerResponse, 'close'), held[ended]?.end('x')]);
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      seen.push(come - ended);
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(2 * perPacket);
  });

  test('a head with more headers than anybody sends is refused after what came before, and nothing behind it is parsed', async () => {
    serve = (_, response) => void setImmediate().then(() => response.end('x'));
    let come = 0;
    server.prependListener('request', () => (come += 1));
    const many = get('/many', 'a:\r\n'.repeat(MOST_HEADERS));
    const most = get('/2', 'a:\r\n'.repeat(MOST_HEADERS - 1));
    const text = await answerTo(get('/1') + most + many + get('/behind') + many.repeat(500));
    expect(statusesIn(text)).toEqual([200, 200, 431]);
    expect(text).toMatch(/\r\nx-request-id: \S+\r\n/i);
    expect(asked).toEqual(['/1', '/2']);
    expect(come).toBeLessThan(100);
  });

  test('CONNECT is answered, after what came before it', async () => {
    serve = (_, response) => void setImmediate().then(() => response.end('x'));
    const connecting = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n';
    expect(statusesIn(await answerTo(get('/1') + connecting))).toEqual([200, 400]);
    expect(statusesIn(await answerTo(connecting))).toEqual([400]);
    expect(asked).toEqual(['/1']);
  });

  test('a body that waits is read when it is its turn', async () => {
    serve = (request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end(`got ${bytes}`));
    };
    const post = (bytes: number, more = ''): string =>
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n${more}\r\n${'x'.repeat(bytes)}`;
    const text = await answerTo(post(10) + post(300_000) + post(20) + post(5, 'Connection: close\r\n'));
    expect([...text.matchAll(/got \d+/g)].join(' ')).toBe('got 10 got 300000 got 20 got 5');
  });

  test.each([
    ['a head that is none', 'GET / HTTP/1.1\r\nHo st: a\r\n\r\n', 400, 'invalid_request'],
    ['headers over 16 KiB', get('/', `x: ${'a'.repeat(20_000)}\r\n`), 431, 'invalid_request'],
    ['a path over 16 KiB', get(`/${'a'.repeat(20_000)}`), 431, 'invalid_request'],
  ])('%s is answered with an error and an id', async (_, bytes, status, code) => {
    const text = await answerTo(bytes);
    expect(statusesIn(text)).toEqual([status]);
    expect(text).toMatch(/\r\nx-request-id: \S+\r\n/i);
    expect(JSON.parse(text.split('\r\n\r\n')[1] as string)).toMatchObject({ error: code });
    expect(asked).toEqual([]);
  });

  test('what cannot be read is answered after what came before it', async () => {
    serve = (_, response) => void setImmediate().then(() => response.end('x'));
    expect(statusesIn(await answerTo(get('/1') + get('/2') + 'rubbish\r\n\r\n'))).toEqual([200, 200, 400]);
    expect(asked).toEqual(['/1', '/2']);
  });

  test('whatever somebody expects is for the application to refuse', async () => {
    await answerTo(get('/', 'Expect: x\r\nConnection: close\r\n'));
    expect(asked).toEqual(['/']);
  });

  test('an answer that nobody takes ends with its connection; one that is not begun is waited for', async () => {
    const responses: ServerResponse[] = [];
    const answers = () => responses.map((response) => ({ response, caller: undefined }));
    const untaken = new UntakenAnswers(answers, 1_048_576);
    serve = (request, response) => {
      responses.push(response);
      if (request.url === '/large') response.end(Buffer.alloc(64 * 1_048_576));
    };
    const [unread, waiting] = [await dial(), await dial()];
    unread.pause().write(get('/large'));
    waiting.write(get('/slow'));
    while (responses.length < 2) await once(server, 'request');
    const [large, slow] = [...responses].sort((a, b) => Number(b.headersSent) - Number(a.headersSent));
    untaken.look(0);
    untaken.look(29_999);
    expect(large?.destroyed).toBe(false);
    untaken.look(30_000);
    untaken.hurry(); // while a process stops it is less, and still only of what is begun
    untaken.look(40_000);
    expect([large?.destroyed, slow?.destroyed]).toEqual([true, false]);
  });

  test('a caller’s key takes a quarter of one door, and nothing of another', async () => {
    const other = edgeServer((_, response) => response.end());
    const connections = new Connections({
      maxConnections: 8,
      maxConnectionsPerAddress: 8,
      proxyHops: 0,
      bodyMemoryMib: 8,
    });
    for (const door of [server, other]) connections.watch(door);
    serve = ({ socket }) => void socket.emit('vouchedFor', 'a');
    const sending = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n`;
    const turnedAway: string[] = [];
    await new Promise<void>((resolve) => {
      const hear = (text: string): void => void (turnedAway.push(text) === 2 && resolve());
      for (let count = 0; count < 4; count += 1) void answerTo(sending).then(hear);
    });
    for (const text of turnedAway) {
      expect(statusesIn(text)).toEqual([503]);
      expect(text).toMatch(/\r\nRetry-After: 1\r\n/);
    }
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    for (let count = 0; count < 8; count += 1) open.push(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    other.closeAllConnections();
    other.close();
  });
});
