import { connect, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { buildConnector } from 'undici';
import { RefusedAddress, vettedConnector, type Vetting } from './vetted-connector';

const target = { hostname: 'hooks.example.com', host: 'hooks.example.com', protocol: 'https:', port: '443' };

/** Stands in for the network: says yes to every address but the dead ones, and remembers. */
class Network {
  readonly dialled: buildConnector.Options[] = [];

  constructor(private readonly dead: string[] = []) {}

  readonly dial: buildConnector.connector = (options, done) => {
    this.dialled.push(options);
    if (this.dead.includes(options.hostname)) done(new Error('ECONNREFUSED'), null);
    else done(null, {} as Socket);
  };
}

function open(connector: buildConnector.connector, options: buildConnector.Options = target): Promise<unknown> {
  return new Promise((resolve, reject) =>
    connector(options, (error, socket) => (error ? reject(error) : resolve(socket))),
  );
}

function production(lookUp: Vetting['lookUp'], network: Network): buildConnector.connector {
  return vettedConnector({ anyAddress: false, lookUp, withinMs: 1_000 }, network.dial);
}

describe('vettedConnector', () => {
  it('looks a name up once, and dials the address it judged when the name server changes its mind', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const lookUp = jest.fn(() => Promise.resolve(answers.shift() ?? []));
    const network = new Network();
    const connector = production(lookUp, network);

    await open(connector);
    expect(lookUp).toHaveBeenCalledTimes(1);
    expect(network.dialled).toEqual([{ ...target, hostname: '93.184.215.14' }]);

    await expect(open(connector)).rejects.toThrow('not public (loopback)');
    expect(network.dialled).toHaveLength(1);
  });

  it('refuses a name that has one bad address among good ones', async () => {
    const network = new Network();
    const connector = production(() => Promise.resolve(['93.184.215.14', 'fd00:ec2::254']), network);
    await expect(open(connector)).rejects.toBeInstanceOf(RefusedAddress);
    expect(network.dialled).toHaveLength(0);
  });

  it('judges and dials the first sixteen addresses of a name, however many it has', async () => {
    const many = Array.from({ length: 6_000 }, (_, nth) => (nth < 16 ? `8.8.8.${nth}` : '127.0.0.1'));
    const network = new Network(many.slice(0, 16));
    await expect(open(production(() => Promise.resolve(many), network))).rejects.toThrow('ECONNREFUSED');
    expect(network.dialled).toHaveLength(16);
  });

  it('judges a bare address without looking anything up', async () => {
    const lookUp = jest.fn(() => Promise.resolve([]));
    const connector = production(lookUp, new Network());
    await expect(open(connector, { ...target, hostname: '169.254.169.254' })).rejects.toThrow('link_local');
    await expect(open(connector, { ...target, hostname: '[::1]' })).rejects.toThrow('loopback');
    expect(lookUp).not.toHaveBeenCalled();
  });

  it('refuses the addresses of this machine, whatever kind they are', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
    for (const address of addresses)
      await expect(open(production(() => Promise.resolve([address]), new Network()))).rejects.toBeInstanceOf(
        RefusedAddress,
      );
  });

  it('goes on to the next address when one does not answer', async () => {
    const network = new Network(['2606:4700:4700::1111']);
    const connector = production(() => Promise.resolve(['2606:4700:4700::1111', '93.184.215.14']), network);
    await open(connector);
    expect(network.dialled.map(({ hostname }) => hostname)).toEqual(['2606:4700:4700::1111', '93.184.215.14']);
  });

  it('neither waits for a silent name server nor dials on when the time is over', async () => {
    const silent = { anyAddress: false, lookUp: () => new Promise<never>(() => undefined), withinMs: 1 };
    await expect(open(vettedConnector(silent, new Network().dial))).rejects.toMatchObject({ code: 'ETIMEOUT' });
    const network = new Network(['1.1.1.1', '8.8.8.8']);
    const late = { anyAddress: false, lookUp: () => Promise.resolve([]), withinMs: 0 };
    const connector = vettedConnector({ ...late, lookUp: () => Promise.resolve(['1.1.1.1', '8.8.8.8']) }, network.dial);
    await expect(open(connector)).rejects.toThrow();
    expect(network.dialled.length).toBeLessThan(2);
  });

  it('says what failed when no address answers, and when there is none', async () => {
    await expect(open(production(() => Promise.resolve(['1.1.1.1']), new Network(['1.1.1.1'])))).rejects.toThrow(
      'ECONNREFUSED',
    );
    await expect(open(production(() => Promise.resolve([]), new Network()))).rejects.toThrow('no address');
    await expect(open(production(() => Promise.reject(new Error('SERVFAIL')), new Network()))).rejects.toThrow(
      'SERVFAIL',
    );
  });

  it('dials addresses of this machine where any address will do', async () => {
    const server = await listening();
    const { port } = server.address() as { port: number };
    const connector = vettedConnector({
      anyAddress: true,
      lookUp: () => Promise.resolve(['127.0.0.1']),
      withinMs: 1_000,
    });
    const socket = (await open(connector, { ...target, protocol: 'http:', port: String(port) })) as ReturnType<
      typeof connect
    >;
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
});

function listening(): Promise<Server> {
  const server = createServer();
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}
