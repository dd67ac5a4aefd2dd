import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxClock } from '#libs/provider-sandbox';
import { Admin } from './admin';

describe('who says what happens at a provider', () => {
  let server: Server;
  beforeAll(async () => {
    server = await new Admin(new Map(), new SandboxClock()).start(0);
  });
  afterAll(() => server.close());

  const statusAt = async (host: string): Promise<number | undefined> => {
    const { port } = server.address() as AddressInfo;
    const asked = request({ host: '127.0.0.1', port, headers: { host } }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };

  test.each(['localhost:4100', '127.0.0.1:4100', 'LOCALHOST'])('is heard at %s', async (host) => {
    expect(await statusAt(host)).toBe(200);
  });

  test.each(['evil.example', 'localhost.evil.example:4100', 'evil.example:4100', '127.0.0.1.evil.example'])(
    'is not heard at a name that was made to lead here: %s',
    async (host) => {
      expect(await statusAt(host)).toBe(403);
    },
  );
});
