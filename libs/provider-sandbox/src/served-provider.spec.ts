/** What all simulated providers have in common, of one that counts. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxAnswer, SandboxRequest } from './sandbox-server';
import { ServedProvider, type ServingOptions } from './served-provider';

interface State {
  count: number;
  looks: number;
  noticesUrl: string | null;
}

class Counter extends ServedProvider<State> {
  readonly deeds = {};

  constructor(options: ServingOptions = {}) {
    const { noticesUrl = null } = options;
    super({ ...options, empty: { count: 0, looks: 0, noticesUrl }, forge: (notice) => ({ ...notice, headers: {} }) });
  }

  settings(): Record<string, string> {
    return { COUNTER_BASE_URL: this.url };
  }

  shown(): State {
    return this.state;
  }

  tellsOf(body: string): void {
    this.send({ body, headers: { signed: 'yes' } });
  }

  protected answer({ method, path }: SandboxRequest): SandboxAnswer {
    if (path === '/page') this.kept.count += 100;
    if (method === 'POST') this.kept.count += 1 + this.misbookedBy(path);
    return path === '/page' ? { status: 200, html: '' } : { status: 200, body: this.kept.count };
  }

  protected catchUp(): void {
    this.kept.looks += 1;
  }
}

describe('what all simulated providers have in common', () => {
  const directory = mkdtempSync(join(tmpdir(), 'served-'));
  const running: Counter[] = [];
  afterEach(() => Promise.all(running.splice(0).map((counter) => counter.stop())));
  afterAll(() => rmSync(directory, { recursive: true }));

  async function started(options?: ServingOptions): Promise<{ counter: Counter; url: string }> {
    const counter = new Counter(options);
    running.push(counter);
    return { counter, url: await counter.start() };
  }
  const post = async (url: string, path = '/'): Promise<unknown> => {
    const answer = await fetch(url + path, { method: 'POST' });
    return answer.json();
  };

  it('is asked where it serves, and known to whoever watches', async () => {
    const seen: string[] = [];
    const { counter, url } = await started({ watch: ({ path }, { status }) => void seen.push(`${path} ${status}`) });
    expect(counter.settings()).toEqual({ COUNTER_BASE_URL: url });
    expect([await post(url), await post(url)]).toEqual([1, 2]);
    expect(seen).toEqual(['/ 200', '/ 200']);
  });

  it('keeps its books on disk: after each call but a reading, and after a page that somebody opened', async () => {
    const file = join(directory, 'kept.json');
    const kept = (): number => (JSON.parse(readFileSync(file, 'utf8')) as State).count;
    const { counter, url } = await started({ file });
    await post(url);
    expect(kept()).toBe(1);
    await fetch(`${url}/page`);
    expect(kept()).toBe(101);
    await counter.stop();
    expect(await post((await started({ file })).url)).toBe(102);
  });

  it('does what time does before and after each call, and when somebody looks', async () => {
    const { counter, url } = await started();
    const { looks } = counter.shown();
    await fetch(url);
    expect(counter.shown().looks).toBeGreaterThanOrEqual(looks + 3);
  });

  it('tells where it was told to, and what a fault makes of it', async () => {
    const heard: unknown[] = [];
    const receiver = createServer((request, response) => {
      heard.push(request.headers.signed ?? 'no');
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { counter } = await started();
    counter.tellsOf('to nobody');
    counter.tellsAt(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
    counter.faults.ask({ effect: 'notice_forged', match: { contains: 'two' } });
    for (const word of ['one', 'two', 'three']) counter.tellsOf(word);
    while (heard.length < 3) await once(receiver, 'request');
    expect(heard).toEqual(['yes', 'no', 'yes']);
    receiver.close();
    receiver.closeAllConnections();
  });

  it('books another amount where somebody asked for that mistake', async () => {
    const { counter, url } = await started();
    counter.misbooks('/wrong', 10);
    expect([await post(url), await post(url, '/wrong')]).toEqual([1, 12]);
  });
});
