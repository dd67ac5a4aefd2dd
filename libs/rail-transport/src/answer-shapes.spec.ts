/** Point 6: no body stalls the event loop. An answer of a provider is a body too, and is looked over before it is parsed at one go. */
import { type LoopbackServer, startLoopbackServer } from '#libs/rail-kit/testing';
import { Transport } from './transport';

const BYTES = 4_000_000;
const SHAPES: [string, () => string][] = [
  // JSON.parse takes 1.2 s of CPU for this one, and ten that come together stand one after the other in one turn.
  ['nothing but brackets', () => `${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}`],
  ['keys that are all different', () => `{${Array.from({ length: 300_000 }, (_, key) => `"k${key}":0`).join()}}`],
];

describe('an answer of megabytes', () => {
  let server: LoopbackServer;
  let text = '';

  beforeAll(async () => {
    server = await startLoopbackServer((_, response) => void response.writeHead(200).end(text));
  });
  afterAll(() => server.close());

  test.each(SHAPES)('that is %s is parsed by nobody', async (_, shape) => {
    text = shape();
    const parse = jest.spyOn(JSON, 'parse');
    const transport = new Transport({ baseUrl: server.url, timeoutMs: 60_000 });
    const found = (body: unknown): body is object => typeof body === 'object' && body !== null && 'id' in body;
    const answer = await transport.call({ method: 'GET', path: '/', found, problem: found });
    const parsedAtOnce = Math.max(0, ...parse.mock.calls.map(([parsed]) => parsed.length));
    parse.mockRestore();
    expect(answer.kind).toBe('unclear');
    expect(parsedAtOnce).toBeLessThan(1_048_576);
  });
});
