import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { HandshakeTurns } from './handshake-turns';
import { HANDSHAKE_BYTES, HandshakeWire } from './handshake-wire';

const TOO_LARGE = { code: 'ERR_TLS_CERTIFICATES_TOO_LARGE' };

describe('HandshakeWire', () => {
  let server: Server;
  let theirs: Socket;
  let wire: HandshakeWire;
  let heard: number;
  beforeEach(async () => {
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const ours = connect((server.address() as AddressInfo).port, '127.0.0.1');
    wire = new HandshakeWire(ours, 'hooks.example.com', new HandshakeTurns());
    [theirs] = await accepted;
    theirs.on('error', () => undefined);
    heard = 0;
    wire.on('data', (bytes: Buffer) => (heard += bytes.length));
  });
  afterEach(async () => {
    wire.destroy();
    theirs.destroy();
    server.close();
    await once(server, 'close');
  });

  async function hear(bytes: number): Promise<void> {
    while (heard < bytes) await once(wire, 'data');
  }

  it('hands on what a handshake may have, and ends the connection at the byte after', async () => {
    theirs.write(Buffer.alloc(HANDSHAKE_BYTES));
    await hear(HANDSHAKE_BYTES);
    const ended = once(theirs, 'close');
    const told = once(wire, 'error');
    theirs.resume().write('.');
    expect(await told).toMatchObject([TOO_LARGE]);
    await ended;
    expect(heard).toBe(HANDSHAKE_BYTES);
  });

  it('counts nothing once the connection is secure', async () => {
    theirs.write('.');
    await hear(1);
    wire.secured();
    theirs.write(Buffer.alloc(HANDSHAKE_BYTES * 20));
    await hear(1 + HANDSHAKE_BYTES * 20);
    expect(wire.destroyed).toBe(false);
  });

  it('ends with either side, and hands on what was said before', async () => {
    const over = once(wire, 'end');
    theirs.end('last words');
    await over;
    expect(heard).toBe('last words'.length);
    const ended = once(theirs.resume(), 'close');
    wire.destroy();
    await ended;
  });
});
