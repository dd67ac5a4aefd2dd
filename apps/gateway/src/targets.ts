/** The target of a request, judged before anything else looks at it: one request, one reading. */
import { NotFoundException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import { type RouteTable } from '#libs/http-kit';

type Routes = Pick<RouteTable, 'methodsAt'>;

/** No second host, no other form of target, no other spelling of a path, no body that some proxy would unpack. */
export function refuseAmbiguousTargets(routes: Routes) {
  return (request: Request, _: Response, next: NextFunction): void => {
    const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
    const { expect } = request.headers;
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      return next(new Refusal('invalid_request', 'Expect nothing but 100-continue.'));
    if (!isFramedForCertain(request))
      return next(new Refusal('invalid_request', 'Send HTTP/1.1, and no transfer-encoding but chunked.'));
    if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1') || !/^\/[^#]*$/.test(request.originalUrl))
      return next(new Refusal('invalid_request', 'Send one Host header and a path.'));
    next(troubleWithPath(request, routes));
  };
}

/** HTTP/1.0 has no codings: whoever passes such a request on may take its length from something else (RFC 9112, 6.1). */
function isFramedForCertain({ httpVersion, headers: { 'transfer-encoding': coding } }: Request): boolean {
  if (coding === undefined) return httpVersion === '1.0' || httpVersion === '1.1';
  return httpVersion === '1.1' && coding.toLowerCase() === 'chunked';
}

function troubleWithPath({ method, path }: Request, routes: Routes): Refusal | NotFoundException | undefined {
  if (path.includes('%') || /.\/$/.test(path)) return nothingAt(path, routes);
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  // A path such as /payouts/batch, which only POST takes: the router would look for a payout with that id.
  const methods = routes.methodsAt(path);
  return methods.length > 0 && !methods.includes('GET') ? new NotFoundException() : undefined;
}

const ENCODED_SLASH = /%(?:2f|5c)/i;
const MISSING = new Map([
  ['payees', 'payee_not_found'],
  ['payouts', 'payout_not_found'],
  ['disbursements', 'disbursement_not_found'],
  ['events', 'event_not_found'],
] as const);

/**
 * Where an id would stand, what has to be encoded is no id, and is missing as any other. The path is taken apart and not
 * matched: a pattern tries every % of it with every rest, and strangers send 16,000 of them.
 */
export function nothingAt(path: string, routes: Routes): Refusal {
  const [root, api, version, kind = '', id = '', ...after] = path.split('/');
  const missing = path.startsWith('/api/v1/') && MISSING.get(kind as 'payees');
  const isId =
    id.includes('%') &&
    !ENCODED_SLASH.test(path) &&
    routes.methodsAt([root, api, version, kind, '-', ...after].join('/')).length > 0;
  return missing && isId ? new Refusal(missing) : new Refusal('not_found', 'There is nothing at this path. See /docs.');
}
