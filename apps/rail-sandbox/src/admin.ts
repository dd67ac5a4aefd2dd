/** Where whoever tries a rail says what happens at its provider: JSON, on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { askedFault, EVERY_EFFECT, type SandboxClock, type SimulatedProvider } from '#libs/provider-sandbox';

export type Providers = ReadonlyMap<string, { provider: SimulatedProvider; url: string }>;

interface Told {
  status: number;
  body?: unknown;
}

/** A page of another site whose name was made to lead here asks under that name. */
const OF_THIS_MACHINE = /^(localhost|127\.0\.0\.1)(:\d+)?$/i;

export class Admin {
  constructor(
    private readonly providers: Providers,
    private readonly clock: SandboxClock,
  ) {}

  async start(port: number): Promise<Server> {
    const server = createServer((request, response) => void this.meet(request, response));
    await new Promise<void>((ready, failed) => server.once('error', failed).listen(port, '127.0.0.1', ready));
    return server;
  }

  private async meet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.answered(request).catch((error: Error) => ({
      status: 422,
      body: { message: error.message },
    }));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : `${JSON.stringify(body, null, 2)}\n`);
  }

  private async answered(request: IncomingMessage): Promise<Told> {
    if (OF_THIS_MACHINE.test(request.headers.host ?? '')) return this.told(request);
    return { status: 403, body: { message: 'Ask for it at localhost or 127.0.0.1.' } };
  }

  private async told(request: IncomingMessage): Promise<Told> {
    const [, name = '', what = ''] = new URL(request.url ?? '/', 'http://loopback').pathname.split('/');
    if (name === '') return { status: 200, body: this.overview() };
    if (name === 'clock') return this.timePasses(await asked(request));
    const { provider } = this.providers.get(name) ?? {};
    if (!provider) return { status: 404, body: { message: `No provider is called '${name}'; GET / lists them.` } };
    if (what === 'faults') return faults(provider, request);
    if (what === '') return { status: 200, body: provider.shown() };
    const deed = Object.hasOwn(provider.deeds, what) ? provider.deeds[what] : undefined;
    if (!deed) return { status: 404, body: { message: `Nobody can '${what}' there; GET / lists what can be done.` } };
    deed(await asked(request));
    return { status: 204 };
  }

  private overview(): unknown {
    const each = [...this.providers].map(([rail, { provider, url }]) => {
      const deeds = Object.keys(provider.deeds);
      return { rail, url, settings: provider.settings(), deeds, faults: provider.faults.list() };
    });
    return { now: this.clock.now(), effects: EVERY_EFFECT, providers: each };
  }

  private timePasses({ advanceSeconds }: Record<string, unknown>): Told {
    if (typeof advanceSeconds !== 'number') throw new Error("Give 'advanceSeconds', a number.");
    this.clock.advance(advanceSeconds);
    return { status: 200, body: { now: this.clock.now() } };
  }
}

async function faults(provider: SimulatedProvider, request: IncomingMessage): Promise<Told> {
  if (request.method === 'GET') return { status: 200, body: provider.faults.list() };
  if (request.method === 'DELETE') provider.faults.clear();
  else provider.faults.ask(askedFault(await asked(request)));
  return { status: 204 };
}

/** Said as JSON, and said to be: a page of another site cannot do that. */
async function asked(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (request.method !== 'POST') throw new Error('This is a POST.');
  if (!String(request.headers['content-type']).startsWith('application/json'))
    throw new Error('Send JSON, with content-type: application/json.');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('Send a JSON object.');
  return body as Record<string, unknown>;
}
