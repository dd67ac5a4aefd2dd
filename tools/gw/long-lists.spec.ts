/** A list of any length is shown: above all of what was done already, page after page, before anything is shown. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gwWith, ID } from './testing/stand-in';

const PAGES = 150;
const IN_A_PAGE = 1_000;

test('payouts that were released are told, however many there are', async () => {
  let released = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const data = Array.from({ length: IN_A_PAGE }, () => ({
        ...{ id: ID, clientId: ID, amountCents: 1, currency: 'USD', status: 'paid', error: null },
      }));
      released += 1;
      const nextCursor = released < PAGES ? String(released) : null;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(request.url?.includes('/clients') ? { data: [], nextCursor: null } : { data, nextCursor }),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const words = ['payouts', 'release-held', '--reason', 'over_cap', '--yes'];
  const { code, out, err } = await gwWith({ GATEWAY_URL: `http://127.0.0.1:${port}` }, ...words);
  server.close();
  expect(released).toBeGreaterThanOrEqual(PAGES); // all of them are under way
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`Of ${PAGES * IN_A_PAGE}: ${PAGES * IN_A_PAGE} paid`);
}, 60_000);
