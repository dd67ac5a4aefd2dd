/** A stand-in for the service, which answers what it is told to and keeps what it was asked, and gw as it speaks to that. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../../..');
export const ID = '01a1fd5a-a7e0-70dc-adf4-9bdcddd91a72';
export const CLIENT = {
  ...{ id: ID, name: 'Example Studio', testMode: false },
  ...{ caps: { singleCents: 1 }, floors: { mock: 5 } },
};

export const asked: { call: string; query: string; body: unknown }[] = [];
export const answers: Record<string, unknown> = {};
export const lastBody = (): unknown => asked.at(-1)?.body;

const STATUS = Symbol('status');
export const refusal = (status: number, error: string, message: string): object => ({
  ...{ [STATUS]: status, error, message },
});
const statusOf = (answer: { [STATUS]?: number }): number => answer[STATUS] ?? 200;

let server: Server;

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

export const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
export const gw = (...words: string[]): Promise<Outcome> => gwWith({ GATEWAY_URL: address() }, ...words);

export async function gwWith(env: Record<string, string>, ...words: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(ROOT, 'tools/gw.mjs'), ...words], {
    env: { OPERATOR_TOKEN: 'token', NO_COLOR: '1', ...env },
  });
  const outcome: Outcome = { code: null, out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (outcome.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (outcome.err += text.toString()));
  [outcome.code] = (await once(child, 'close')) as [number | null];
  return outcome;
}

/** For the tests of one file: no test sees what another was answered. */
export function standIn(): void {
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const [path = '', query = ''] = (request.url ?? '').replace('/operator/v1', '').split('?');
      const call = `${request.method} ${path}`;
      asked.push({ call, query, body: chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : null });
      const answer = answers[call] ?? refusal(404, 'not_found', 'There is nothing at this path.');
      response.writeHead(statusOf(answer), { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    asked.length = 0;
    for (const call of Object.keys(answers)) delete answers[call];
    answers['GET /clients'] = { data: [CLIENT, { ...CLIENT, id: 'x', name: 'Twice' }, { ...CLIENT, name: 'Twice' }] };
  });
}
