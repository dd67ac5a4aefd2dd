/**
 * Adyen's hosts for Adyen's own client, which speaks to nothing but `https://*.adyen.com`: a proxy on loopback that leads each of them to
 * the simulator, and ends the encryption on the way. Nobody trusts its certificate who is not told to, and its key is worth nothing.
 */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSQ56OEruKYo0rN+X
LodU//E+zrphSp9sOgbqETnIScyhRANCAAQueF1ieqGWmO/p7d9gxPiLmpnI3WuB
CrvtuLltiqf2Y5RevuJYFQFNYlLeiEwlsZNd/FvQSMBRkkkOz16qB7Pc
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcTCCARegAwIBAgIBATAKBggqhkjOPQQDAjAeMRwwGgYDVQQDDBNzaW11bGF0
ZWQuYWR5ZW4uY29tMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAe
MRwwGgYDVQQDDBNzaW11bGF0ZWQuYWR5ZW4uY29tMFkwEwYHKoZIzj0CAQYIKoZI
zj0DAQcDQgAELnhdYnqhlpjv6e3fYMT4i5qZyN1rgQq77bi5bYqn9mOUXr7iWBUB
TWJS3ohMJbGTXfxb0EjAUZJJDs9eqgez3KNEMEIwFgYDVR0RBA8wDYILKi5hZHll
bi5jb20wCQYDVR0TBAIwADAdBgNVHQ4EFgQUi8s8IbMBScXOdDM+YOcBvj8jjdEw
CgYIKoZIzj0EAwIDSAAwRQIgAxAXAzwCmyC3ws5r65PaAZhH21ndjarv0VARUxob
22wCIQD7e0f2fouXyinUMxcQzwwXmq6DCyRe7c9nBXSQuMQfKA==
-----END CERTIFICATE-----
`;

export interface AdyenHosts {
  proxy: { host: string; port: number };
  /** Vouches for all of them. */
  ca: string;
  /** Which were asked for, with their port. */
  asked: Set<string>;
  close(): Promise<void>;
}

export async function startAdyenHosts(simulated: string): Promise<AdyenHosts> {
  const asked = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '' }, socket: Socket) => {
    asked.add(url);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    lead(new TLSSocket(socket, { isServer: true, key: KEY, cert: CERTIFICATE }), new URL(simulated));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      for (const socket of sockets) socket.destroy();
    });
  return { proxy: { host: '127.0.0.1', port }, ca: CERTIFICATE, asked, close };
}

function lead(client: TLSSocket, { hostname, port }: URL): void {
  const simulator = connect(Number(port), hostname);
  client.pipe(simulator).pipe(client);
  client.on('error', () => simulator.destroy());
  simulator.on('error', () => client.destroy());
}
