import type { Request, Response } from 'express';
import { nothingAt, refuseAmbiguousTargets } from './targets';

const ROUTES = ['/api/v1/payees/-', '/api/v1/payees/-/readiness', '/api/v1/events/-', '/operator/v1/payees/-'];
const routes = { methodsAt: (path: string) => (ROUTES.includes(path) ? ['GET'] : []) };
const codeAt = (path: string): string => nothingAt(path, routes).code;

describe('what is no id', () => {
  test.each([
    ['/api/v1/payees/%00', 'payee_not_found'],
    ['/api/v1/payees/a%20b%41/readiness', 'payee_not_found'],
    ['/api/v1/events/%zz', 'event_not_found'],
    ['/api/v1/payees/%2f', 'not_found'],
    ['/api/v1/payees/x%5Cy', 'not_found'],
    ['/api/v1/payees/x/%41', 'not_found'],
    ['/api/v1/payees/%41/', 'not_found'],
    ['/api/v1/payees/%41/nothing', 'not_found'],
    ['/api/v1/constructor/%41', 'not_found'],
    ['/operator/v1/payees/%41', 'not_found'],
    ['/api/v1/payees%41', 'not_found'],
    ['/%41', 'not_found'],
  ])('%s is missing: %s', (path, code) => expect(codeAt(path)).toBe(code));

  // Tried with every rest, each of four million would take hours.
  test('a path of any length is judged in one pass', () => {
    expect(codeAt(`/api/v1/payees/${'%'.repeat(4_000_000)}/A1`)).toBe('not_found');
    expect(codeAt(`/api/v1/payees/${'%'.repeat(4_000_000)}`)).toBe('payee_not_found');
  });
});

describe('where a body ends', () => {
  function refusalOf(httpVersion: string, headers: Record<string, string>): unknown {
    const sent = { host: 'gateway.example.com', ...headers };
    const rawHeaders = Object.entries(sent).flat();
    const target = { method: 'POST', path: '/api/v1/payouts', originalUrl: '/api/v1/payouts' };
    let refusal: unknown;
    const request = { ...target, httpVersion, headers: sent, rawHeaders } as unknown as Request;
    refuseAmbiguousTargets(routes)(request, {} as Response, (outcome) => (refusal = outcome));
    return refusal;
  }

  test.each([
    ['1.1', {}],
    ['1.1', { 'transfer-encoding': 'chunked' }],
    ['1.1', { 'transfer-encoding': 'Chunked' }],
    ['1.0', {}],
    ['1.0', { 'content-length': '2' }],
  ])('is certain with HTTP/%s and %j', (version, headers) => expect(refusalOf(version, headers)).toBeUndefined());

  test.each([
    ['1.0', { 'transfer-encoding': 'chunked' }],
    ['1.1', { 'transfer-encoding': 'gzip, chunked' }],
    ['1.1', { 'transfer-encoding': 'identity' }],
    ['0.9', {}],
    ['2.0', {}],
  ])('is not with HTTP/%s and %j', (version, headers) =>
    expect(refusalOf(version, headers)).toMatchObject({
      code: 'invalid_request',
      message: 'Send HTTP/1.1, and no transfer-encoding but chunked.',
    }),
  );
});
