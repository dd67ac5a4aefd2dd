/** Who sends a wish and goes away: it is carried out as it was sent, or not at all. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Wish } from '#libs/db';
import { loopWatch } from '#libs/telemetry';
import { BodyRoom, type Sender } from './body-room';
import { readBody } from './body';
import type { GatewayRequest } from './gateway-request';
import { wishOf } from './late-wish';
import { readRawBody } from './raw-body';

const CALLER: Sender = { name: 'a', known: true };
const BODY = '{"rows":"paid"}';

describe('a body whose sender is gone', () => {
  let server: Server;
  let whoSends: (request: GatewayRequest) => Promise<Sender | null>;
  let serve: (request: GatewayRequest) => Promise<unknown>;
  let outcome: Promise<unknown>;
  beforeAll(() => loopWatch.start(() => undefined));
  afterAll(() => loopWatch.stop());
  beforeEach(async () => {
    whoSends = () => Promise.resolve(CALLER);
    serve = (request) => readBody(request, 'a');
    const app = express();
    outcome = new Promise((resolve) => {
      app.use(readRawBody((request) => whoSends(request), new BodyRoom(16 * 1_048_576)));
      app.use((request: Request) => resolve(serve(request as GatewayRequest).catch((error: unknown) => error)));
      app.use((refusal: unknown, _: Request, __: Response, ___: NextFunction) => resolve(refusal));
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** Sends all of it, and goes away once the service has begun with it. */
  const sendAndLeave = async (until: Promise<unknown>): Promise<void> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    await until;
    socket.destroy();
  };
  const gone = ({ res }: GatewayRequest): Promise<unknown> => once(res as Response, 'close');

  test('while it is asked who sends it, is not looked into', async () => {
    const asked = new Promise<void>((resolve) => {
      whoSends = async (request) => {
        resolve();
        await gone(request);
        return CALLER;
      };
    });
    await sendAndLeave(asked);
    expect(await outcome).toMatchObject({ code: 'invalid_request' });
  });

  test('before it is looked into, is none and not an empty one', async () => {
    const begun = new Promise<void>((resolve) => {
      serve = async (request) => {
        resolve();
        await gone(request);
        return readBody(request, 'a');
      };
    });
    await sendAndLeave(begun);
    expect(await outcome).toMatchObject({ code: 'invalid_request' });
  });

  /** Another process, for this one stands still meanwhile: it sends, waits, and is gone. */
  const standStillFor = (sent: string): void => {
    const { port } = server.address() as AddressInfo;
    const send = `const socket = require('node:net').connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(sent)}));
      setTimeout(() => socket.destroy(), 1500);`;
    execFileSync(process.execPath, ['-e', send]);
  };

  test.each([
    ['with a body', `Content-Length: ${BODY.length}\r\n\r\n${BODY}`],
    ['without one', `\r\n`],
  ])('while the process stood still, is not served: a request %s', async (_, rest) => {
    standStillFor(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${rest}`);
    expect(await outcome).toMatchObject({ code: 'invalid_request' });
  });

  test('is asked for again after a standstill by whoever is still there, and served', async () => {
    standStillFor('');
    const { port } = server.address() as AddressInfo;
    void fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    }).catch(() => undefined);
    expect(await outcome).toEqual({ rows: 'paid' });
  });

  describe('while the process stood still in the middle of it', () => {
    let wish: Wish;
    /** Its answers take their time, and it stands still meanwhile. */
    const standsStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

    test('has nothing more done for them', async () => {
      const begun = new Promise<void>((resolve) => {
        serve = async (request) => {
          wish = wishOf(request, request.res as Response);
          await readBody(request, 'a');
          resolve();
          await gone(request);
        };
      });
      const sent = sendAndLeave(begun.then(() => standsStill(1_500)));
      await sent;
      await outcome;
      await expect(wish.inDoubt()).rejects.toMatchObject({ code: 'invalid_request' });
    });

    test('and was answered, is no wish any more: what goes on is done', async () => {
      const begun = new Promise<void>((resolve) => {
        serve = async (request) => {
          wish = wishOf(request, request.res as Response);
          await readBody(request, 'a');
          (request.res as Response).end();
          await gone(request);
          resolve();
        };
      });
      await sendAndLeave(begun);
      await outcome;
      standsStill(1_500);
      expect(wish.inDoubt()).toBeNull();
    });

    test('who is still there, has it done', async () => {
      serve = async (request) => {
        wish = wishOf(request, request.res as Response);
        await readBody(request, 'a');
        standsStill(1_500);
        const doubt = wish.inDoubt();
        expect(doubt).not.toBeNull();
        await doubt;
        return 'done';
      };
      const { port } = server.address() as AddressInfo;
      void fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: BODY,
      }).catch(() => undefined);
      expect(await outcome).toBe('done');
    });
  });

  test('after it was looked into, counts', async () => {
    const begun = new Promise<void>((resolve) => {
      serve = async (request) => {
        const body = await readBody(request, 'a');
        resolve();
        await gone(request);
        return body;
      };
    });
    await sendAndLeave(begun);
    expect(await outcome).toEqual({ rows: 'paid' });
  });
});
