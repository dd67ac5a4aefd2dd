/** What the running service answers and tells is what its reference says: no field more, none less, no other status. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { loadConfig } from '#libs/config';
import { Db } from '#libs/db';
import { scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { newId, signV2, systemClock, unixSeconds } from '#libs/domain';
import { setLogLevel } from '#libs/telemetry';
import { openApiDocument } from './api-reference';
import { AppModule } from './app.module';
import { createHttpApp } from './http-server';

const OPERATOR_TOKEN = 'reference-spec';
const GIVEN = { NODE_ENV: 'test', OPERATOR_TOKEN, MASTER_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' };

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

let database: ScratchDatabase;
let app: NestExpressApplication;
let document: OpenAPIObject;
let client: { id: string; apiKey: string; signingSecret: string };
const ajv = new Ajv2020({ strict: false, allErrors: true });

beforeAll(async () => {
  setLogLevel('silent');
  database = await scratchDatabase();
  const config = { ...loadConfig(GIVEN), databaseUrl: database.url };
  app = await createHttpApp(AppModule.forRoot(config), config);
  await app.listen(0, '127.0.0.1');
  document = openApiDocument(app);
  addFormats.default(ajv);
  ajv.addSchema({ ...closed(document), $id: 'reference' });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

/** The reference leaves answers open, so that they may grow; here a field it does not know is a mistake. */
function closed(node: OpenAPIObject): object {
  const copy = JSON.parse(JSON.stringify(node)) as { components: { schemas: Record<string, object> } };
  for (const schema of Object.values(copy.components.schemas)) Object.assign(schema, { additionalProperties: false });
  return copy;
}

async function send(method: string, path: string, headers: Record<string, string>, text: string): Promise<Answer> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const type: Record<string, string> = text ? { 'content-type': 'application/json' } : {};
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...type },
    body: text || undefined,
  });
  const body = (await response.json()) as Answer['body'];
  expectDocumented(method, path, { status: response.status, body });
  return { status: response.status, body };
}

function expectDocumented(method: string, path: string, { status, body }: Answer): void {
  const known = Object.keys(document.paths).find((template) => matches(template, path.split('?')[0] ?? ''));
  const operation = known && (document.paths[known] as Record<string, OperationObject>)[method.toLowerCase()];
  const answer = operation ? (operation.responses[status] as object | undefined) : undefined;
  if (!operation || !answer) throw new Error(`The reference knows no ${status} of ${method} ${path}.`);
  const escaped = (known ?? '').replaceAll('~', '~0').replaceAll('/', '~1');
  const own = `#/paths/${escaped}/${method.toLowerCase()}/responses/${status}`;
  const place = '$ref' in answer ? String(answer.$ref) : own;
  expectFits(`${place}/content/application~1json/schema`, body);
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

function expectFits(pointer: string, value: unknown): void {
  const validate = ajv.compile({ $ref: `reference${encodeURI(pointer)}` });
  validate(value);
  expect({ pointer, errors: validate.errors ?? [] }).toEqual({ pointer, errors: [] });
}

function operator(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  return send(method, `/operator/v1${path}`, headers, body ? JSON.stringify(body) : '');
}

/** Signed with version 2, whose nonce lets equal bodies be sent in the same second. */
function call(method: string, path: string, body?: object): Promise<Answer> {
  const text = body ? JSON.stringify(body) : '';
  const target = `/api/v1${path}`;
  const [timestamp, nonce] = [String(unixSeconds(systemClock)), newId()];
  const signature = signV2(client.signingSecret, { timestamp, nonce, method, target, body: Buffer.from(text) });
  const headers = {
    authorization: `Bearer ${client.apiKey}`,
    'x-gw-timestamp': timestamp,
    'x-gw-nonce': nonce,
    'x-gw-signature-v2': signature.toString('hex'),
  };
  return send(method, target, headers, text);
}

async function pay(payeeId: unknown, reason: string): Promise<Answer> {
  const body = { payeeId, amountCents: 2500, currency: 'USD', idempotencyKey: newId(), reason, metadata: { a: 'b' } };
  return call('POST', '/payouts', body);
}

it('holds for the operator surface', async () => {
  const made = await operator('POST', '/clients', {
    name: 'Reference',
    testMode: true,
    caps: { singleCents: 100_000 },
  });
  const { id } = made.body.client as { id: string };
  client = { ...(made.body as { apiKey: string; signingSecret: string }), id };
  await operator('GET', '/clients?limit=1');
  await operator('PATCH', `/clients/${id}`, { webhookUrl: 'http://127.0.0.1:9/hooks', floors: { mock: 100 } });
  const key = await operator('POST', `/clients/${id}/keys`, { overlapSeconds: 600 });
  await operator('DELETE', `/clients/${id}/keys/${key.body.keyId}`);
  await operator('GET', `/clients/${id}`);
  const secret = await operator('POST', `/clients/${id}/signing-secret`, { overlapSeconds: 0 });
  client.signingSecret = secret.body.signingSecret as string;
  const named = await operator('POST', '/operators', { name: 'grace', role: 'viewer' });
  await operator('POST', '/operators', { name: 'grace', role: 'viewer' });
  await operator('DELETE', `/operators/${(named.body.operator as { id: string }).id}`);
  await operator('GET', '/operators');
  await operator('POST', '/master-key/rewrap');
  expect((await operator('GET', `/audit?clientId=${id}`)).status).toBe(200);
  expect((await operator('GET', `/clients/${newId()}`)).status).toBe(404);
  expect((await operator('POST', '/clients', { nothing: 1 })).status).toBe(400);
});

it('holds for payees', async () => {
  const { body } = await call('POST', '/payees', { externalId: 'creator-1', email: 'ada@example.com', country: 'us' });
  await call('GET', `/payees/${body.id}/readiness`);
  await call('POST', `/test/payees/${body.id}/onboarding`, { outcome: 'rejected', reason: 'blurred' });
  await call('POST', `/payees/${body.id}/methods`, { provider: 'custodial_a', providerAccountId: 'acct_missing' });
  await call('POST', `/payees/${body.id}/methods`, { provider: 'custodial_a', providerAccountId: 'acct_1' });
  await call('GET', `/payees/${body.id}`);
  expect((await call('GET', '/payees?limit=1')).status).toBe(200);
  expect((await call('GET', '/payees?kyc=maybe')).status).toBe(400);
});

it('holds for payouts in every state', async () => {
  const { body: payee } = await call('POST', '/payees', {
    externalId: 'creator-2',
    email: 'a@example.com',
    country: 'US',
  });
  await call('POST', `/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
  const held = await call('POST', '/payouts', {
    ...{ payeeId: payee.id, amountCents: 1, currency: 'USD', idempotencyKey: 'tiny' },
  });
  expect(held).toMatchObject({ status: 201, body: { status: 'held' } });
  await call('POST', `/payouts/${held.body.id}/release`);
  const failed = await pay(payee.id, 'mock:fail_once');
  expect((await call('POST', `/payouts/${failed.body.id}/retry`, {})).body.status).toBe('paid');
  expect((await call('POST', `/payouts/${failed.body.id}/retry`, {})).status).toBe(409);
  for (const [step, body] of [['settle'], ['fail', { kind: 'permanent' }]] as const) {
    const pending = await pay(payee.id, 'mock:pending');
    expect((await call('POST', `/test/payouts/${pending.body.id}/${step}`, body)).status).toBe(200);
  }
  const paid = await pay(payee.id, 'fine');
  await call('POST', `/test/payouts/${paid.body.id}/return`, { liftingFeeCents: 25 });
  expect((await call('GET', `/payouts/${paid.body.id}`)).body).toMatchObject({ status: 'returned' });
  expect((await call('GET', '/payouts?limit=2')).body.nextCursor2).not.toBeNull();
  expect((await pay(newId(), 'to nobody')).status).toBe(404);
});

it('holds for every event that was recorded', async () => {
  const events = await app.get(Db).rows<{ type: string; payload: { status?: string } }>('SELECT * FROM events');
  const model: Record<string, string> = { 'payee.updated': 'PayeeUpdatedEvent', 'payout.status': 'PayoutStatusEvent' };
  for (const { type, payload } of events) expectFits(`#/components/schemas/${model[type]}`, payload);
  const words = new Set(events.map(({ payload }) => payload.status));
  for (const word of ['held', 'failed', 'paid', 'returned']) expect(words).toContain(word);
});

it.each(['/openapi.json', '/docs/operators.json'])('%s is made once, and not for whoever asks', async (path) => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const first = await read();
  expect(first).toContain('/operator/v1/clients');
  const stringify = jest.spyOn(JSON, 'stringify');
  expect((await read()) === first).toBe(true);
  const lengths = stringify.mock.results.map(({ value }) => String(value).length);
  stringify.mockRestore();
  expect(Math.max(0, ...lengths)).toBeLessThan(first.length / 2);
});

it('shows its page with the files that it loads, and no other', async () => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const read = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  for (const path of ['/docs', '/docs/operators']) {
    const page = await (await read(path)).text();
    const files = [...page.matchAll(/(?:src|href|url)="(\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toEqual(expect.arrayContaining(['/docs/openapi-explorer.min.js', '/docs/page.js', '/docs/page.css']));
    expect(files.filter((file) => file.endsWith('.json'))).toHaveLength(1);
    for (const file of files) expect((await read(file)).status).toBe(200);
  }
  const script = await read('/docs/openapi-explorer.min.js');
  expect(script.headers.get('content-type')).toContain('javascript');
  const again = await read('/docs/openapi-explorer.min.js', {
    // Without a word of ours fetch asks for no cached answer.
    ...{ 'if-none-match': script.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
  const other = await read('/docs/openapi-explorer.js');
  expect({ status: other.status, body: await other.json() }).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  });
});

it.each(['/docs//page.js', '/docs/./page.css', '/docs//package.json', '/docs/docs/page.css', '/docs/toString'])(
  '%s is no file of the page: nothing is streamed, however its path is written',
  async (path) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const [answer] = (await once(get({ port, path, agent: false }), 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(404);
  },
);
