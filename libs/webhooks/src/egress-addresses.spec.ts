/** Every way that is known to turn a webhook inward, at registration and again at every dial. */
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { buildConnector } from 'undici';
import { deliveryLimits } from './delivery';
import { Egress } from './egress';
import { vettedConnector } from './vetted-connector';
import { checkWebhookUrl } from './webhook-url';

const PUBLIC = '93.184.215.14';

const INWARD = {
  loopback: ['127.0.0.1', '127.0.0.53', '127.255.255.254', '::1'],
  'private networks': ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'cloud metadata': [
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
  ],
  'carrier NAT': ['100.64.0.1', '100.127.255.255'],
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  'protocols and benchmarks': ['192.0.0.1', '192.0.0.170', '198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'multicast and reserved': ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1'],
  'link and site': ['fe80::1', 'febf::1', 'fec0::1', 'fc00::1', 'fdff:ffff::1'],
  'IPv4 inside IPv6': ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
  translators: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '64:ff9b:1:ffff::a9fe:a9fe'],
  tunnels: ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '192.88.99.1'],
};
const ADDRESSES = Object.entries(INWARD).flatMap(([kind, all]) => all.map((address) => [kind, address] as const));

/** Stands in for the network, and says yes to everything. */
class Network {
  readonly dialled: string[] = [];

  readonly dial: buildConnector.connector = ({ hostname }, done) => {
    this.dialled.push(hostname);
    done(null, {} as Socket);
  };
}

const target = (hostname: string) => ({ hostname, host: hostname, protocol: 'https:', port: '443' });
const open = (connector: buildConnector.connector, hostname: string): Promise<unknown> =>
  new Promise((resolve, reject) =>
    connector(target(hostname), (error, socket) => (error ? reject(error) : resolve(socket))),
  );

describe.each(ADDRESSES)('%s: %s', (_, address) => {
  const literal = address.includes(':') ? `[${address}]` : address;

  it('is refused when it is registered', () => {
    expect(checkWebhookUrl(`https://${literal}/hooks`, true)).toBe('must lead to a host on the public internet');
  });

  it('is refused when it is dialled, and when a name that was public when it was judged leads to it the next time', async () => {
    const network = new Network();
    const answers = [[PUBLIC], [address], [PUBLIC, address], [address, PUBLIC]];
    const rebound = vettedConnector(
      { anyAddress: false, lookUp: () => Promise.resolve(answers.shift() ?? []), withinMs: 1_000 },
      network.dial,
    );
    await expect(open(rebound, literal)).rejects.toThrow('not public');
    await open(rebound, 'rebound.example.com');
    for (let turn = 0; turn < 3; turn += 1)
      await expect(open(rebound, 'rebound.example.com')).rejects.toThrow('not public');
    expect(network.dialled).toEqual([PUBLIC]);
  });
});

describe('other ways inward', () => {
  it.each([
    ...['https://127.1', 'https://0177.0.0.1', 'https://0x7f.1', 'https://2130706433', 'https://0', 'https://00000'],
    ...['https://127。0。0。1', 'https://①②⑦.0.0.1', 'https://[::ffff:7f00:1]', 'https://[0:0:0:0:0:0:0:1]'],
    ...['https://localhost', 'https://LOCALHOST', 'https://x.localhost', 'https://localhost.', 'https://127.0.0.1.'],
    ...['https://user@example.com', 'https://example.com@127.0.0.1', 'https://[fe80::1%25eth0]', 'https://[::1%25lo]'],
    ...['http://example.com', 'https://example.com:22', 'https://example.com:25', 'https://example.com:6379'],
    ...['https://example.com:80', 'https://example.com:0', 'gopher://example.com', 'file:///etc/passwd', 'unix:/run/x'],
  ])('%s is refused when it is registered', (url) => expect(checkWebhookUrl(url, true)).not.toBeNull());

  it.each(['127.0.0.1.nip.io', '7f000001.nip.io', 'localtest.me', 'rebound.example.com'])(
    'a public name such as %s is refused when it leads here',
    async (name) => {
      const network = new Network();
      const connector = vettedConnector(
        { anyAddress: false, lookUp: () => Promise.resolve(['127.0.0.1']), withinMs: 1_000 },
        network.dial,
      );
      expect(checkWebhookUrl(`https://${name}/hooks`, true)).toBeNull();
      await expect(open(connector, name)).rejects.toThrow('not public (loopback)');
      expect(network.dialled).toEqual([]);
    },
  );

  it('the addresses of this machine are refused, public or not', async () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
      const connector = vettedConnector(
        { anyAddress: false, lookUp: () => Promise.resolve([address]), withinMs: 1_000 },
        new Network().dial,
      );
      await expect(open(connector, 'own.example.com')).rejects.toThrow("The webhook's host leads to");
    }
  });

  it('a delivery that is refused is not worth another attempt', async () => {
    const egress = new Egress({ production: true }, () => Promise.resolve(['169.254.169.254']), deliveryLimits);
    const delivery = { url: 'https://hooks.example.com/x', host: 'hooks.example.com', headers: {}, body: '{}' };
    expect(await egress.post(delivery)).toEqual({
      kind: 'undeliverable',
      reason: 'address_refused',
      error: "The webhook's host leads to an address that is not public (link_local).",
    });
    await egress.onApplicationShutdown();
  });
});
