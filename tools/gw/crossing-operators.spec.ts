/** Two operators change the country table at the same time: a block that one of them made is lifted by nobody who does not say so. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gwWith } from './testing/stand-in';

test('a new route lifts no block that another operator made meanwhile', async () => {
  let table = { routes: { '*': ['mock'] } as Record<string, string[]>, blockedCountries: [] as string[] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const say = (answer: unknown): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    if (request.url?.includes('/rails')) return say({ data: [{ name: 'mock', implemented: true }], nextCursor: null });
    if (request.method === 'GET') {
      say(table);
      table = { ...table, blockedCountries: ['RU'] }; // the other one's `gw routes set --block RU`
      return;
    }
    // As PUT /operator/v1/routes has it: "A sanction is lifted by saying so, never by leaving it out."
    table = { ...table, ...(JSON.parse(Buffer.concat(chunks).toString()) as typeof table) };
    say(table);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const { code } = await gwWith({ GATEWAY_URL: `http://127.0.0.1:${port}` }, 'routes', 'set', '--route', 'DE=mock');
  server.close();
  expect([code, table.routes.DE]).toEqual([0, ['mock']]);
  expect(table.blockedCountries).toEqual(['RU']);
});
