/**
 * The sockets at which a server takes connections. Node takes one at each in a turn of the event loop: at one alone whoever comes new waits for as
 * many turns as there are others before them. Linux shares newcomers out over several sockets of one port, and newer versions of Node ask it to.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server as Door, type Socket } from 'node:net';

/** So many may wait to be let in, if the system's own limit is no lower: whoever finds no place there is told nothing, and tries again. */
const BACKLOG = 4_096;
/** Of a port. More would take no more connections in a turn than are worth their work. */
const DOORS = 8;
const SHARES_PORTS = process.platform === 'linux' && Number(process.versions.node.split('.')[0]) >= 24;

/** What a system says that cannot. */
const CANNOT = ['ENOTSUP', 'ENOPROTOOPT', 'EINVAL'];

/** Beside the server's own. */
const others = new WeakMap<Server, Door[]>();

export async function openDoors(server: Server, at: { host: string; port: number }): Promise<void> {
  const options = { ...at, backlog: BACKLOG };
  if (SHARES_PORTS) await claim(at);
  if (!SHARES_PORTS || !(await isShared(server, options))) return listening(server, options);
  const { port } = server.address() as AddressInfo;
  const doors = Array.from({ length: DOORS - 1 }, () => doorOf(server));
  others.set(server, doors);
  for (const door of doors) await listening(door, { ...options, port, reusePort: true });
}

/** Fails if somebody has the port. Sockets that share a port never refuse each other, so this one asks for it alone, and lets it go again. */
async function claim(at: ListenOptions): Promise<void> {
  const alone = createServer();
  await listening(alone, at);
  await once(alone.close(), 'close');
}

/** False if the system cannot share ports: the server then has one socket. */
async function isShared(server: Server, options: ListenOptions): Promise<boolean> {
  try {
    await listening(server, { ...options, reusePort: true });
    return true;
  } catch (error) {
    if (CANNOT.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** No connection is taken any more. Those that are open stay. */
export function closeDoors(server: Server): void {
  server.close();
  for (const door of others.get(server) ?? []) door.close();
}

/** As the server's own socket is. */
const doorOf = (server: Server): Door =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => server.emit('connection', socket));

async function listening(door: Door, options: ListenOptions & { reusePort?: boolean }): Promise<void> {
  await once(door.listen(options), 'listening');
}
