/** What the certificates of a receiver make us compute: all of them are verified, in one go, before anybody looks at the outcome. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:https';
import { Agent, request } from 'undici';
import { type Chain, costlyChain, largeChain } from '../testing/chains';
import { deliveryLimits } from './delivery';
import { Egress } from './egress';
import { HANDSHAKE_BYTES } from './handshake-wire';
import { secureDial } from './secure-dial';
import { vettedConnector } from './vetted-connector';

const here = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);

describe('the certificates of a receiver', () => {
  const endings: (() => unknown)[] = [];
  afterEach(() => Promise.all(endings.splice(0).map((end) => end())));

  async function receiverWith({ key, cert }: Chain): Promise<string> {
    const server = createServer({ key, cert }, (_, response) => response.end('taken'));
    server.on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    endings.push(() => server.close());
    return `https://hooks.example.com:${(server.address() as AddressInfo).port}/`;
  }

  function attempts(url: string, count: number): Promise<unknown[]> {
    const egress = new Egress({ production: false }, here, deliveryLimits);
    endings.push(() => egress.onApplicationShutdown());
    const delivery = { url, host: new URL(url).host, headers: {}, body: '{}' };
    return Promise.all(Array.from({ length: count }, () => egress.post(delivery)));
  }

  it('may be four with large keys and many names, more than most receivers have', async () => {
    const chain = largeChain();
    expect(chain.bytes).toBeGreaterThan(6_500);
    const dial = secureDial(4_000, { ca: chain.root });
    const connect = vettedConnector({ anyAddress: true, lookUp: here, withinMs: 4_000 }, dial);
    const agent = new Agent({ connect });
    endings.push(() => agent.destroy());
    const url = await receiverWith(chain);
    for (const body of ['{}', 'x'.repeat(200_000)]) {
      const answer = await request(url, { method: 'POST', body, dispatcher: agent });
      expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'taken']);
    }
  });

  it('are verified up to a size that bounds what it costs', async () => {
    const chain = costlyChain(10);
    expect(chain.bytes).toBeLessThan(HANDSHAKE_BYTES);
    const [outcome] = await attempts(await receiverWith(chain), 1);
    expect(outcome).toMatchObject({ reason: 'tls', error: expect.stringMatching(/^CERT_SIGNATURE_FAILURE/) as string });
  });

  it('are not verified beyond it, in no attempt, and the client is told', async () => {
    const url = await receiverWith(costlyChain());
    const told = {
      kind: 'failed',
      statusCode: null,
      reason: 'tls',
      error:
        "ERR_TLS_CERTIFICATES_TOO_LARGE: The receiver's certificates come to more than 16 KiB. " +
        'Have it send its own and those between it and the root, no others.',
      excerpt: null,
    };
    expect(await attempts(url, deliveryLimits.perClient)).toEqual(Array(deliveryLimits.perClient).fill(told));
  });
});
