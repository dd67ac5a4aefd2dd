/** What the certificates of a receiver make us compute: all of them are verified, in one go, before anybody looks at the outcome. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { SELF_SIGNED } from '../testing/certificate';
import { costlyChain } from '../testing/costly-chain';
import { deliveryLimits } from './delivery';
import { Egress } from './egress';

/** So long, at most, nothing stalls the event loop: see docs/performance.md. */
const LONGEST_STALL_MS = 100;

describe('the certificates of a receiver', () => {
  let server: Server;
  let egress: Egress;
  afterEach(async () => {
    await egress.onApplicationShutdown();
    server.close();
  });

  async function receiverWith(certificates: { key: string; cert: string }): Promise<string> {
    egress = new Egress({ production: false }, () => Promise.resolve(['127.0.0.1']), deliveryLimits);
    server = createServer(certificates).on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `https://hooks.example.com:${(server.address() as AddressInfo).port}/`;
  }

  /** For how long the event loop stood still, at worst, while so many attempts were made at once. */
  async function worstStall(url: string, attempts: number): Promise<number> {
    let worst = 0;
    let last = performance.now();
    const look = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }, 2);
    const delivery = { url, host: new URL(url).host, headers: {}, body: '{}' };
    const outcomes = await Promise.all(Array.from({ length: attempts }, () => egress.post(delivery)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    clearInterval(look);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed' });
    return worst;
  }

  it('are no burden as everybody has them', async () => {
    const url = await receiverWith(SELF_SIGNED);
    await worstStall(url, 1);
    expect(await worstStall(url, 1)).toBeLessThan(LONGEST_STALL_MS);
  });

  it('stall nobody, however much it costs to verify them', async () => {
    const url = await receiverWith(costlyChain());
    expect(await worstStall(url, 1)).toBeLessThan(LONGEST_STALL_MS);
  });

  it('stall nobody either where a client has as many attempts under way as it may', async () => {
    const url = await receiverWith(costlyChain());
    expect(await worstStall(url, deliveryLimits.perClient)).toBeLessThan(LONGEST_STALL_MS);
  });
});
