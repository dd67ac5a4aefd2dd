/** When to ask again, as an answer says it: after too many requests, and while this process cannot serve. */
import type { RateLimit } from '#libs/domain';
import type { NextFunction, Request, Response } from 'express';

const RETRY_AFTER_SECONDS = '1';

/** Of a 429. The contract has no Retry-After there. */
export function sayLimit({ res }: Request, { limit, resetSeconds }: RateLimit): void {
  res?.setHeader('ratelimit-limit', String(limit));
  res?.setHeader('ratelimit-remaining', '0');
  res?.setHeader('ratelimit-reset', String(resetSeconds));
}

/** Every 503 says it, whoever answers so. */
export function sayRetryAfter(_: Request, response: Response, next: NextFunction): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
  response.writeHead = (...head: unknown[]): Response => {
    if (head[0] === 503 && !response.hasHeader('retry-after')) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
    return writeHead(...head);
  };
  next();
}
