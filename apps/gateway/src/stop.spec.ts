/** A process whose jobs outlast the stop leaves them to others, and answers its requests before it goes. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { happening } from '#libs/db/testing';
import { JobRunner } from '#libs/jobs';
import { setLogLevel } from '#libs/telemetry';
import { Connections } from './connections';
import { SHARES, stopOnSignal } from './stop';
import { Stopping } from './stopping';

/** Far beyond what this takes, however slow the machine. */
const GRACE_SECONDS = 600;

test('a request that takes longer than jobs are waited for is answered, though those were handed back', async () => {
  setLogLevel('silent');
  jest.replaceProperty(SHARES, 'requestsFirst', 0);
  const connections = new Connections({
    ...{ maxConnections: 10, maxConnectionsPerAddress: 10, proxyHops: 0, bodyMemoryMib: 1 },
  });
  const server = createServer();
  connections.watch(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];

  const order: string[] = [];
  const [closing, gone] = [happening(), happening()];
  jest.spyOn(process, 'exit').mockImplementation(((code: number) => {
    order.push(`left with ${code}`);
    gone.happens();
  }) as typeof process.exit);
  let handBack = (): void => undefined;
  const parts = new Map<unknown, unknown>([
    [Connections, connections],
    [Stopping, new Stopping()],
    [JobRunner, { cutOff: new Promise<void>((resolve) => (handBack = resolve)) }],
  ]);
  const app = {
    get: (part: unknown) => parts.get(part),
    close: () => {
      closing.happens();
      return happening().promise; // it waits for requests, and then it would tidy up
    },
  } as unknown as INestApplicationContext;
  stopOnSignal(GRACE_SECONDS)({ app, database: { stop: () => Promise.resolve() }, graceSeconds: GRACE_SECONDS });
  process.emit('SIGTERM');
  await closing.promise;
  handBack();
  await nextTurn(); // whatever would leave at once has left
  order.push('answered');
  response.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await gone.promise;
  expect([answer.statusCode, order]).toEqual([200, ['answered', 'left with 0']]);
});
