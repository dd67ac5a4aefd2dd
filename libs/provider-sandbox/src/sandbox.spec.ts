/** The parts of a simulated provider: its door and what goes wrong there, its books, its notices. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBooks } from './disk-books';
import { type Fault, Faults } from './faults';
import { NoticeSender } from './notice-sender';
import { SandboxClock } from './sandbox-clock';
import { SandboxServer } from './sandbox-server';

describe('the door of a simulated provider', () => {
  let worked: string[];
  let door: SandboxServer;
  let url: string;

  beforeEach(async () => {
    worked = [];
    door = new SandboxServer({
      answer: ({ method, path }) => {
        worked.push(`${method} ${path}`);
        return { status: 200, body: { times: worked.length, made: [{ path }] } };
      },
    });
    url = await door.start();
  });
  afterEach(() => door.stop());

  const ask = (fault: Fault): Promise<number> => {
    door.faults.ask(fault);
    // Only for silence is the end of patience an answer.
    const patience = fault.effect.startsWith('silence') ? { signal: AbortSignal.timeout(300) } : {};
    return fetch(`${url}/payments`, { method: 'POST', ...patience })
      .then(async (response) => {
        await response.text();
        return response.status;
      })
      .catch(() => 0);
  };

  it.each<[Fault['effect'], number, number]>([
    ['cut_before', 0, 0],
    ['cut_after', 0, 1],
    ['silence_before', 0, 0],
    ['silence_after', 0, 1],
    ['too_many', 429, 0],
    ['server_error', 500, 0],
    ['server_error_after', 500, 1],
    ['garbage', 502, 0],
  ])('%s: answers %i, and the work is done %i times', async (effect, status, times) => {
    expect(await ask({ effect })).toBe(status);
    expect(worked).toHaveLength(times);
    expect(door.faults.list()).toEqual([]);
    expect((await fetch(`${url}/payments`)).status).toBe(200);
  });

  it('shows what it showed before, once, if its books lag behind', async () => {
    const read = async (): Promise<unknown> => (await fetch(`${url}/payments`)).json();
    expect(await read()).toMatchObject({ times: 1 });
    door.faults.ask({ effect: 'stale_read' });
    expect(await read()).toMatchObject({ times: 1 });
    expect(await read()).toMatchObject({ times: 2 });
  });

  it('does the work, and says what came of it in other words', async () => {
    door.faults.ask({ effect: 'reworded', words: { path: 'elsewhere', times: 'never' } });
    const read = async (): Promise<unknown> => (await fetch(`${url}/payments`)).json();
    expect([await read(), await read()]).toEqual([
      { times: 1, made: [{ path: 'elsewhere' }] },
      { times: 2, made: [{ path: '/payments' }] },
    ]);
  });

  it('lets a fault strike where it is meant to, and as often', async () => {
    door.faults.ask({ effect: 'server_error', match: { method: 'GET', path: '/accounts' }, times: 2 });
    const statuses = [];
    for (const path of ['/payments', '/accounts/1', '/accounts/2', '/accounts/3'])
      statuses.push((await fetch(url + path)).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
  });
});

describe('the books of a simulated provider', () => {
  it('are there again after a restart, with what is new in them', () => {
    const directory = mkdtempSync(join(tmpdir(), 'books-'));
    const file = join(directory, 'deep', 'books.json');
    const before = diskBooks({ payments: ['one'] }, file);
    before.state.payments.push('two');
    before.save();
    expect(diskBooks({ payments: [], accounts: [] }, file).state).toEqual({ payments: ['one', 'two'], accounts: [] });
    rmSync(directory, { recursive: true });
  });
});

describe('the time of a simulated provider', () => {
  it('goes forwards only', () => {
    const clock = new SandboxClock({ now: () => new Date('2026-03-02T10:00:00.000Z') });
    clock.advance(60);
    expect(clock.now()).toEqual(new Date('2026-03-02T10:01:00.000Z'));
    expect(() => clock.advance(-1)).toThrow('forwards');
    for (const seconds of [1e300, Infinity]) expect(() => clock.advance(seconds)).toThrow('Ten years');
    expect(clock.now()).toEqual(new Date('2026-03-02T10:01:00.000Z'));
  });
});

describe('the notices of a simulated provider', () => {
  let faults: Faults;
  let sender: NoticeSender;
  let receiver: Server;
  let answers: number[];
  const heard: string[] = [];

  beforeEach(async () => {
    heard.length = 0;
    answers = [];
    faults = new Faults();
    sender = new NoticeSender(faults, ({ body, headers }) => ({ body: `${body} forged`, headers }));
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push(body);
        response.writeHead(answers.shift() ?? 204).end();
      });
    });
    await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  });
  afterEach(async () => {
    await sender.stop();
    receiver.close();
    receiver.closeAllConnections();
  });

  async function told(...bodies: string[]): Promise<string[]> {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    for (const body of bodies) sender.tell(url, { body, headers: {} });
    await sender.settled();
    return heard;
  }

  it('arrive in order, and again until they are heard', async () => {
    answers = [503];
    expect(await told('one', 'two')).toEqual(['one', 'one', 'two']);
  });

  it.each<[Fault['effect'], string[]]>([
    ['notice_twice', ['one', 'one', 'two']],
    ['notice_lost', ['two']],
    ['notice_reordered', ['two', 'one']],
    ['notice_forged', ['one forged', 'two']],
    ['notice_late', ['one', 'two']],
  ])('%s: %p', async (effect, wanted) => {
    faults.ask({ effect, match: { contains: 'one' }, seconds: 0.01 });
    expect(await told('one', 'two')).toEqual(wanted);
  });

  it('are told to nobody if nobody said where', async () => {
    sender.tell(null, { body: 'one', headers: {} });
    await sender.settled();
    expect(heard).toEqual([]);
  });
});
