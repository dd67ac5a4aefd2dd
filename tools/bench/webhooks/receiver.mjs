// A caller's receiver, as a process of its own. The path says how it behaves. It keeps when each event arrived, by the
// clock that PostgreSQL has too, and tells on GET.
import { once } from 'node:events';
import { createServer } from 'node:http';

const SLOW_MS = 8_000;
const arrived = new Map();

const BEHAVIOURS = {
  '/ok': (response) => response.writeHead(204).end(),
  '/500': (response) => response.writeHead(500).end('out of order'),
  '/302': (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  '/reset': (response) => response.socket?.destroy(),
  '/slow': (response) => setTimeout(() => response.writeHead(204).end(), SLOW_MS),
  '/hang': () => undefined,
};

const answer = (request, response) => {
  const now = performance.timeOrigin + performance.now();
  if (request.method === 'GET') return response.end(JSON.stringify([...arrived]));
  const id = request.headers['x-gw-event-id'];
  if (id && request.url === '/ok' && !arrived.has(id)) arrived.set(id, now);
  request.resume().on('end', () => (BEHAVIOURS[request.url] ?? BEHAVIOURS['/ok'])(response));
};

/** At several addresses of this machine, so that each client has a host of its own: 127.0.0.1, 127.0.0.2 and so on. */
const hosts = Array.from({ length: Number(process.env.HOSTS) }, (_, host) => `127.0.0.${host + 1}`);
await Promise.all(
  hosts.map(async (host) => {
    const server = createServer(answer);
    server.keepAliveTimeout = 60_000;
    await once(server.listen(Number(process.env.PORT), host), 'listening');
  }),
);
process.stdout.write('is ready\n');
