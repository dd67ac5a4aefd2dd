/** What a receiver's TLS may make us compute: the key exchange comes before its certificate is judged. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { SELF_SIGNED_RSA } from '../testing/certificate';
import { hastyLimits } from '../testing/hasty-limits';
import { Egress } from './egress';
import { secureDial } from './secure-dial';

/** What the handshake failed of, as the receiver sees it, and what the attempt came to. */
async function handshakeWith(options: TlsOptions): Promise<{ refusal: string; reason: unknown }> {
  const server = createServer({ ...SELF_SIGNED_RSA, ...options }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const egress = new Egress({ production: false }, () => Promise.resolve(['127.0.0.1']), hastyLimits);
  const refused = once(server, 'tlsClientError') as Promise<[Error & { code?: string }]>;
  const url = `https://hooks.example.com:${port}/`;
  const outcome = await egress.post({ url, host: new URL(url).host, headers: {}, body: '{}' });
  const [{ code = '' }] = await refused;
  await egress.onApplicationShutdown();
  server.close();
  return { refusal: code, reason: outcome.kind === 'delivered' ? null : outcome.reason };
}

describe('a key exchange', () => {
  it('is never one in a group of the receiver that takes seconds to compute', async () => {
    const dhe = { ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto', maxVersion: 'TLSv1.2' } as const;
    expect(await handshakeWith(dhe)).toEqual({ refusal: 'ERR_SSL_NO_SHARED_CIPHER', reason: 'tls' });
  });

  it('is none of the large groups of TLS 1.3 either', async () => {
    const large = { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe8192' } as const;
    expect(await handshakeWith(large)).toMatchObject({
      refusal: expect.stringMatching(/^ERR_SSL_NO_SUITABLE/) as string,
      reason: 'tls',
    });
  });
});

describe('a second handshake on a connection', () => {
  it('is refused: nobody would count its certificates', async () => {
    const server = createServer({ ...SELF_SIGNED_RSA, maxVersion: 'TLSv1.2' }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'secureConnection') as Promise<[TLSSocket]>;
    const port = String((server.address() as AddressInfo).port);
    const target = { hostname: '127.0.0.1', host: `hooks.example.com:${port}`, protocol: 'https:', port };
    const ours = new Promise<Socket>((resolve, reject) =>
      secureDial(4_000, { ca: SELF_SIGNED_RSA.cert })(target, (error, socket) =>
        error ? reject(error) : resolve(socket as Socket),
      ),
    );
    (await ours).on('error', () => undefined).resume();
    const [theirs] = await accepted;
    const refused = once(theirs, 'error');
    theirs.resume().renegotiate({}, () => theirs.destroy(new Error('it took place')));
    expect(await refused).toMatchObject([{ code: 'ERR_SSL_NO_RENEGOTIATION' }]);
    (await ours).destroy();
    server.close();
  });
});
