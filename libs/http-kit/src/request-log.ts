/** Gives each request its id, and writes one wide line when it is answered. */
import type { NextFunction, Request, Response } from 'express';
import { newId } from '#libs/domain';
import { inLogContext, log, metrics } from '#libs/telemetry';
import type { GatewayRequest } from './gateway-request';

const underWay = new Set<GatewayRequest>();

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

export function logRequest(request: Request, response: Response, next: NextFunction): void {
  const target = request as GatewayRequest;
  const given = request.headers['x-request-id'];
  target.requestId = typeof given === 'string' && WELL_FORMED.test(given) ? given : newId();
  response.setHeader('x-request-id', target.requestId);
  const startedAt = performance.now();
  underWay.add(target);
  response.once('close', () => {
    underWay.delete(target);
    write(target, response, performance.now() - startedAt);
  });
  inLogContext({ requestId: target.requestId }, next);
}

/** The matched route stands for the path: what a caller typed there may be anything. */
function write(request: GatewayRequest, response: Response, ms: number): void {
  const route = routeOf(request);
  const status = response.writableFinished ? response.statusCode : 499;
  metrics.requests.observe({ method: request.method, route, status }, ms / 1000);
  const { requestId, method, callerId } = request;
  const fields = { event: 'request', requestId, method, route, status, ms: Math.round(ms * 10) / 10, callerId };
  if (status >= 500) log.error({ ...fields, bytesIn: request.rawBody?.length ?? 0 }, 'answered');
  else log.info({ ...fields, bytesIn: request.rawBody?.length ?? 0 }, 'answered');
}

const routeOf = (request: GatewayRequest): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'unmatched';

const SAID_AT_MOST = 5;

/** Requests that are not answered yet, the biggest bodies first: one of those has kept the others waiting. */
export function requestsUnderWay(): { method: string; route: string; bytesIn: number; requestId: string }[] {
  const asked = [...underWay].map((request) => ({
    ...{ method: request.method, route: routeOf(request), requestId: request.requestId },
    bytesIn: request.rawBody?.length ?? 0,
  }));
  return asked.sort((a, b) => b.bytesIn - a.bytesIn).slice(0, SAID_AT_MOST);
}
