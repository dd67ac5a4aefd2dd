import { createHash, createHmac, webcrypto } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { loadConfig } from '#libs/config';
import { openApiDocument } from './api-reference';
import { forCallers, forOperators } from './api-reference.readers';
import { CONTRACT_VERSION, TAGS } from './api-reference.about';
import { signBeforeSending } from './api-reference.try-it-out';
import { AppModule } from './app.module';

type Operation = OperationObject & { 'x-scope'?: string; 'x-role'?: string; 'x-addition'?: boolean };

let app: INestApplication;
let document: OpenAPIObject;

beforeAll(async () => {
  const given = { NODE_ENV: 'test', ROLE: 'api', OPERATOR_TOKEN: 'none', MASTER_KEY: '0'.repeat(64) };
  const module = AppModule.forRoot({ ...loadConfig(given), databaseUrl: 'postgres://nowhere' });
  app = await NestFactory.create(module, { preview: true, logger: false, abortOnError: false });
  document = openApiDocument(app);
});

function operations(): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  );
}

function codesOf(path: string, method: 'get' | 'post', status: string): string[] {
  const { $ref } = document.paths[path]?.[method]?.responses[status] as { $ref: string };
  return $ref.replace('#/components/responses/', '').split('-or-');
}

describe('the API reference', () => {
  it('is of the contract', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe(CONTRACT_VERSION);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it('gives each operation a name, a summary, and what it needs', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations()) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary).toMatch(/\S/);
      const needs = operation['x-scope'] ?? operation['x-role'];
      expect(operation.description).toContain(needs ? `\`${needs}\`` : 'Open to everybody');
      expect((operation.security ?? []).length > 0).toBe(Boolean(needs));
    }
  });

  it('describes each tag that is used, and no other', () => {
    const used = operations().flatMap(({ operation }) => operation.tags ?? []);
    expect(new Set([...used, 'Events'])).toEqual(new Set(Object.keys(TAGS)));
  });

  it('asks clients for a key and a signature of either version, operators for a token', () => {
    expect(document.paths['/api/v1/payouts']?.post?.security).toEqual([
      { apiKey: ['payouts:write'], timestamp: [], signature: [] },
      { apiKey: ['payouts:write'], timestamp: [], nonce: [], signatureV2: [] },
    ]);
    expect(document.paths['/operator/v1/clients']?.post?.security).toEqual([{ operator: ['admin'] }]);
  });

  it.each([
    ['/api/v1/payouts', 'post', '401', 'invalid_api_key stale_timestamp invalid_signature replayed_request'],
    ['/api/v1/payouts', 'get', '401', 'invalid_api_key stale_timestamp invalid_signature'],
    ['/operator/v1/clients', 'get', '401', 'invalid_operator_token'],
    ['/api/v1/payouts', 'get', '403', 'insufficient_scope client_suspended'],
    ['/operator/v1/clients', 'post', '403', 'insufficient_role'],
    ['/api/v1/payouts', 'post', '413', 'payload_too_large'],
    ['/api/v1/payouts', 'post', '415', 'unsupported_media_type'],
    ['/api/v1/payouts', 'get', '429', 'rate_limited'],
    ['/api/v1/payouts', 'get', '500', 'internal_error'],
    ['/api/v1/payouts', 'get', '503', 'service_unavailable'],
    ['/api/v1/payouts', 'get', '400', 'invalid_request invalid_status invalid_cursor'],
  ] as const)('%s %s can answer %s with %s', (path, method, status, codes) => {
    expect(codesOf(path, method, status)).toEqual(codes.split(' '));
  });

  it('marks what is an addition, and says once that it does', () => {
    const added = operations().filter(({ operation }) => operation['x-addition']);
    expect(
      added
        .map(({ path }) => path)
        .filter(
          (path) =>
            !/^\/(operator|api\/v1\/(test|wallet|disbursements|events|webhook|webhook-test|keys|payouts\/\{id\}\/cancel)|rails)(\/|$)/.test(
              path,
            ),
        ),
    ).toEqual([]);
    expect(document.info.description).toContain('`x-addition: true`');
    expect(JSON.stringify(document.paths)).not.toMatch(/additions? to the contract/i);
    const transaction = document.components?.schemas?.Transaction as { properties: Record<string, object> };
    expect(transaction.properties.settledAt).toMatchObject({ 'x-addition': true, type: ['string', 'null'] });
    expect(transaction.properties.status).not.toHaveProperty('x-addition');
  });

  it('closes what callers send, and leaves open what they read', () => {
    expect(document.components?.schemas?.CreatePayoutBody).toHaveProperty('additionalProperties', false);
    expect(document.components?.schemas?.Transaction).not.toHaveProperty('additionalProperties');
    expect(document.paths['/api/v1/payouts/{id}/retry']?.post?.requestBody).toHaveProperty('required', false);
  });

  it('has both events', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual(['payee.updated', 'payout.status']);
  });
});

describe('what callers are shown in production', () => {
  const shown = (): OpenAPIObject => forCallers(document);

  it('has every route of theirs, and none of the operators', () => {
    const theirs = Object.keys(document.paths).filter((path) => !path.startsWith('/operator'));
    expect(Object.keys(shown().paths)).toEqual(theirs);
    expect(theirs.length).toBeLessThan(Object.keys(document.paths).length);
    expect(JSON.stringify(shown())).not.toMatch(/\/operator\/|Operator:|operator token/);
    expect(shown().components?.securitySchemes).not.toHaveProperty('operator');
  });

  it('refers to nothing that is not there, and keeps nothing that nobody refers to', () => {
    const text = JSON.stringify(shown());
    const used = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const { securitySchemes: _, ...kinds } = shown().components ?? {};
    const kept = Object.entries(kinds).flatMap(([kind, named]) => Object.keys(named).map((name) => `${kind}/${name}`));
    expect(new Set(kept)).toEqual(used);
    expect(kept).not.toContain('schemas/Client');
  });
});

describe('what operators are shown apart', () => {
  it('has every route of theirs and nothing of callers, with all that it refers to', () => {
    const shown = forOperators(document);
    const theirs = Object.keys(document.paths).filter((path) => path.startsWith('/operator'));
    expect(Object.keys(shown.paths)).toEqual(theirs);
    const text = JSON.stringify(shown);
    expect(text).not.toMatch(/"\/api\/v1|x-gw-signature/);
    const named = shown.components as Record<string, Record<string, unknown>>;
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect(named[kind]).toHaveProperty([name]);
  });
});

describe('the page at /docs', () => {
  const page = { crypto: webcrypto, TextEncoder, performance, URL, prompt: () => 'whsec_secret' };
  const sign = runInNewContext(`(${signBeforeSending.toString()})`, page) as typeof signBeforeSending;

  it('signs what it sends with version 2, with nothing but what a browser has', async () => {
    const body = '{"a":"é"}';
    const request = { url: 'https://gateway.example/api/v1/payouts?x=1', method: 'POST', body, headers: {} };
    const { headers } = await sign(request);
    const digest = createHash('sha256').update(body).digest('hex');
    const { 'x-gw-timestamp': timestamp = '', 'x-gw-nonce': nonce = '' } = headers;
    const text = [timestamp, nonce, 'POST', '/api/v1/payouts?x=1', digest].join('\n');
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['x-gw-signature-v2']).toBe(createHmac('sha256', 'whsec_secret').update(text).digest('hex'));
  });

  it.each([
    ['the operator surface', '/operator/v1/clients', {}],
    ['what is signed already', '/api/v1/payouts', { 'x-gw-signature-v2': 'mine' }],
  ])('leaves %s alone', async (_, path, headers) => {
    const request = { url: `https://gateway.example${path}`, method: 'GET', body: '', headers };
    expect((await sign(request)).headers).toEqual(headers);
  });
});
