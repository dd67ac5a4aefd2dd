/** A receiver whose certificates are costly rests by its name; its client may give it another name with each request. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { costlyChain } from '../testing/chains';
import { deliveryLimits } from './delivery';
import { Egress } from './egress';
import { HandshakeTurns } from './handshake-turns';
import { HANDSHAKE_BYTES } from './handshake-wire';

/** As many as `PUT /webhook` may come of one client: 600 a minute. */
const BETWEEN_NAMES_MS = 100;
const NAMES = 40;
const ATTEMPTS_AT_ONE = 4;

describe('a client whose receiver has another name all the time', () => {
  afterEach(() => jest.restoreAllMocks());

  it('takes no more of the time of a process than with one name', async () => {
    const chain = costlyChain(10);
    expect(chain.bytes).toBeLessThan(HANDSHAKE_BYTES);
    const server = createServer(chain, (_, response) => response.end('taken'));
    server.on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    let computedMs = 0;
    const take = HandshakeTurns.prototype.take;
    jest.spyOn(HandshakeTurns.prototype, 'take').mockImplementation(function (this: HandshakeTurns, host, compute) {
      take.call(this, host, () => {
        const from = performance.now();
        compute();
        computedMs += performance.now() - from;
      });
    });
    const egress = new Egress({ production: false }, () => Promise.resolve(['127.0.0.1']), deliveryLimits);
    const under = async (names: number): Promise<number> => {
      const from = performance.now();
      computedMs = 0;
      const attempts: Promise<unknown>[] = [];
      for (let nth = 0; nth < NAMES; nth += 1) {
        const host = `h${nth % names}.example.com:${port}`;
        for (let each = 0; each < ATTEMPTS_AT_ONE; each += 1)
          attempts.push(egress.post({ url: `https://${host}/`, host, headers: {}, body: '{}' }));
        await pause(BETWEEN_NAMES_MS);
      }
      await Promise.all(attempts);
      return computedMs / (performance.now() - from);
    };
    const withOne = await under(1);
    const withMany = await under(NAMES);
    await egress.onApplicationShutdown();
    server.close();
    expect(withMany).toBeLessThan(2 * withOne);
  }, 60_000);
});
