/** A process stands still while a request of a call is connecting, and wakes past the deadline: the socket is looked at before the timers are. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Transport } from '#libs/rail-transport';
import { inTime } from './in-time';

const standsStill = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
const listening = async <S extends Server | net.Server>(server: S): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

describe('a call that has a deadline, whose request is connecting', () => {
  it('makes no request once it wakes past its deadline', async () => {
    const provider = createServer((_, response) => void response.end('{}'));
    const port = await listening(provider);
    // Something else that the process hears of first when it wakes: it takes its time.
    const other = net.createServer((socket) => void socket.on('error', () => undefined));
    const peers: net.Socket[] = [];
    other.on('connection', (socket) => peers.push(socket));
    const mine = net.connect(await listening(other), '127.0.0.1');
    await new Promise((resolve) => mine.once('connect', resolve));
    while (peers.length === 0) await pause(1);
    mine.on('data', () => standsStill(200));

    const transport = new Transport({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 5_000 });
    let until = Infinity;
    const late: boolean[] = [];
    const leaves = (): void => void late.push(performance.now() >= until);
    subscribe('undici:client:sendHeaders', leaves);
    peers[0]?.write('wake');
    await inTime(50, async (signal) => {
      until = performance.now() + 50;
      await transport.call({
        ...{ method: 'POST', path: '/transfers', signal },
        found: (body): body is object => typeof body === 'object',
        problem: (body): body is object => typeof body === 'object',
      });
      return { kind: 'unknown' as const, detail: '' };
    });
    await pause(100);
    unsubscribe('undici:client:sendHeaders', leaves);
    mine.destroy();
    for (const server of [provider, other]) server.close();
    expect(late).toEqual([]);
  });
});
