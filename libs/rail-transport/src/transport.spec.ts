/** Against a real server on loopback, as unkind as a provider can be. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { systemClock } from '#libs/domain';
import { type LoopbackServer, readBody, startLoopbackServer } from '#libs/rail-kit/testing';
import { type Answer, Transport } from './transport';

interface Payment {
  id: string;
}
interface Problem {
  name: string;
}
const isPayment = (body: unknown): body is Payment => typeof (body as Payment | undefined)?.id === 'string';
const isProblem = (body: unknown): body is Problem => typeof (body as Problem | undefined)?.name === 'string';

describe('a call of a provider', () => {
  let server: LoopbackServer;
  let meets: RequestListener;
  const calls: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = [];

  beforeAll(async () => {
    server = await startLoopbackServer((request, response) => void answer(request, response));
  });
  beforeEach(() => void (calls.length = 0));
  afterAll(() => server.close());

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    calls.push({ method, url, headers, body: await readBody(request) });
    meets(request, response);
  }

  function call(signal?: AbortSignal, timeoutMs = 5_000): Promise<Answer<Payment, Problem>> {
    const transport = new Transport({ baseUrl: server.url, timeoutMs, mostBytes: 1_000 });
    return transport.call({
      method: 'POST',
      path: '/payments?x=1',
      headers: { authorization: 'Bearer secret-word' },
      body: { type: 'application/json', text: '{"amount":"10.05"}' },
      signal,
      found: isPayment,
      problem: isProblem,
    });
  }

  const answers =
    (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(status, headers).end(body);

  it('is made once, as it was asked for, and gives what was found', async () => {
    meets = answers(201, '{"id":"pay_1"}');
    expect(await call()).toEqual({ kind: 'done', found: { id: 'pay_1' } });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: '/payments?x=1',
      body: '{"amount":"10.05"}',
      headers: { authorization: 'Bearer secret-word', 'content-type': 'application/json' },
    });
  });

  it('is rejected only in words that the provider has for it', async () => {
    meets = answers(422, '{"name":"NO"}');
    expect(await call()).toEqual({ kind: 'rejected', status: 422, problem: { name: 'NO' } });
    meets = answers(422, '<html>Blocked by the firewall</html>');
    expect(await call()).toMatchObject({ kind: 'unclear' });
  });

  it.each([
    ['7', undefined, 7],
    [undefined, undefined, 30],
    ['soon', undefined, 30],
    ['-5', undefined, 30],
    ['99999999', undefined, 86_400],
    ['Mon, 02 Mar 2026 10:00:40 GMT', 'Mon, 02 Mar 2026 10:00:00 GMT', 40],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 'Mon, 02 Mar 2026 10:00:00 GMT', 30],
  ])('is put off by a 429 with Retry-After %p, at %p, for %p seconds', async (retryAfter, date, seconds) => {
    meets = answers(429, '', { ...(retryAfter ? { 'retry-after': retryAfter } : {}), ...(date ? { date } : {}) });
    expect(await call()).toEqual({ kind: 'later', afterSeconds: seconds });
  });

  it('is put off in words of the provider, if it has any: not every 429 is about all calls', async () => {
    meets = answers(429, '{"name":"LOCKED"}');
    expect(await call()).toEqual({ kind: 'later', afterSeconds: 30, problem: { name: 'LOCKED' } });
    meets = answers(429, '<html>Slow down</html>');
    expect(await call()).toEqual({ kind: 'later', afterSeconds: 30 });
  });

  it('is put off by a 503 only of a provider that promises to have done nothing then', async () => {
    meets = answers(503, 'maintenance', { 'retry-after': '7' });
    expect(await call()).toMatchObject({ kind: 'unclear' });
    const promising = new Transport({ baseUrl: server.url, timeoutMs: 5_000, putsOffWith: [429, 503] });
    const asked = { method: 'GET', path: '/', found: isPayment, problem: isProblem } as const;
    expect(await promising.call(asked)).toEqual({ kind: 'later', afterSeconds: 7 });
    meets = answers(429, '');
    expect(await promising.call(asked)).toEqual({ kind: 'later', afterSeconds: 30 });
  });

  it.each<[string, RequestListener]>([
    ['a cut before the work', (request) => void request.socket.destroy()],
    ['a cut in the middle of the answer', (_, response) => void response.write('{"id":', () => response.destroy())],
    ['a server error that speaks its language', answers(500, '{"name":"OOPS"}')],
    ['a server error that looks like success', answers(503, '{"id":"pay_1"}')],
    ['a page of HTML', answers(200, '<html>Hello</html>')],
    ['success without what was asked for', answers(200, '{"name":"NO"}')],
    ['a redirect, which nobody follows', answers(307, '{"id":"pay_1"}', { location: '/elsewhere' })],
    ['an answer without end', (_, response) => void response.end(`{"id":"${'x'.repeat(2_000)}"}`)],
  ])('is unclear after %s, and is not made again', async (_, listener) => {
    meets = listener;
    expect(await call()).toMatchObject({ kind: 'unclear', detail: expect.any(String) as string });
    expect(calls).toHaveLength(1);
  });

  it('is unclear if nothing is answered in time, and ends its connection', async () => {
    const gone = new Promise<void>((resolve) => {
      meets = (request) => void request.socket.once('close', () => resolve());
    });
    expect(await call(undefined, 200)).toEqual({ kind: 'unclear', detail: 'no answer: TimeoutError' });
    await gone;
  });

  it('does not leave if nobody waits for it any more', async () => {
    expect(await call(AbortSignal.abort())).toMatchObject({ kind: 'unclear' });
    expect(calls).toEqual([]);
  });

  it('does not leave if the process stood still past its time while it was connecting', async () => {
    meets = answers(201, '{"id":"pay_1"}');
    const standsStill = (): void => {
      const until = performance.now() + 100;
      while (performance.now() < until);
    };
    subscribe('undici:client:connected', standsStill);
    try {
      expect(await call(undefined, 80)).toEqual({ kind: 'unclear', detail: 'no answer: AbortError' });
      expect(calls).toEqual([]);
    } finally {
      unsubscribe('undici:client:connected', standsStill);
    }
  });

  it('does not leave if the machine slept past its time: its ticks stood still, and its clock tells', async () => {
    meets = answers(201, '{"id":"pay_1"}');
    const woken = new Date(systemClock.now().getTime() + 900_000);
    const sleeps = (): void => void jest.spyOn(systemClock, 'now').mockReturnValue(woken);
    subscribe('undici:client:connected', sleeps);
    try {
      expect(await call()).toEqual({ kind: 'unclear', detail: 'no answer: AbortError' });
      expect(calls).toEqual([]);
    } finally {
      unsubscribe('undici:client:connected', sleeps);
      jest.restoreAllMocks();
    }
  });

  it('ends when nobody waits for it any more', async () => {
    const waiting = new AbortController();
    meets = () => waiting.abort();
    expect(await call(waiting.signal)).toMatchObject({ kind: 'unclear' });
  });

  it('says nothing of its credentials, its address or its body, whatever goes wrong', async () => {
    const nobody = new Transport({ baseUrl: 'http://127.0.0.1:1', timeoutMs: 1_000 });
    const asked = { method: 'GET', path: '/ada@example.org', found: isPayment, problem: isProblem } as const;
    const answer = await nobody.call(asked);
    expect(answer).toEqual({ kind: 'unclear', detail: 'no answer: ECONNREFUSED' });
    meets = answers(400, 'no: Bearer secret-word ada@example.org');
    expect(JSON.stringify(await call())).not.toMatch(/secret-word|ada@/);
  });
});
