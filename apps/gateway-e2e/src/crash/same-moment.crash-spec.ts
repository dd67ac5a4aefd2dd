/** Many strangers who ask at the same moment: what each asks is small, and others have their turn between them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { freePort } from '../harness/free-port';
import { requestBytes } from '../harness/raw-socket';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const STRANGERS = 900; // below MAX_CONNECTIONS_PER_ADDRESS

describe('strangers who ask at the same moment', () => {
  let topology: Topology;
  let watched: number;
  let port: number;
  beforeAll(async () => {
    watched = await freePort();
    topology = await startTopology('embedded-1', { METRICS_PORT: String(watched) });
    port = Number(new URL(topology.urls[0] as string).port);
  });
  afterAll(() => stopTopology(topology));

  const opened = async (at: number): Promise<Socket> => {
    const socket = connect(at, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };

  test.each(['/docs/callers.json', '/openapi.json'])(
    '%s: who watches the process is answered before all of them are',
    async (path) => {
      const watcher = await opened(watched);
      const strangers: Socket[] = [];
      for (let index = 0; index < STRANGERS; index += 1) strangers.push(await opened(port));
      let answered = 0;
      const all = strangers.map((socket) => once(socket, 'data').then(() => (answered += 1)));
      for (const socket of strangers) socket.write(requestBytes('GET', path, ['Host: a']));
      await Promise.race(all);
      watcher.write(requestBytes('GET', '/health/live', ['Host: a']));
      const [answer] = await once(watcher, 'data');
      const before = answered;
      for (const socket of strangers) socket.resume();
      await Promise.all(all);
      for (const socket of [watcher, ...strangers]) socket.destroy();
      expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
      expect(before).toBeLessThan(STRANGERS);
    },
  );
});
