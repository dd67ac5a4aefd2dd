/** Reads a request's bytes before anything looks at them: signatures cover bytes, and an early limit keeps memory flat. */
import type { NextFunction, Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import type { GatewayRequest } from './gateway-request';

export const MAX_BODY_BYTES = 1_048_576;
const NONE = Buffer.alloc(0);

export function readRawBody(request: Request, response: Response, next: NextFunction): void {
  const target = request as GatewayRequest;
  target.rawBody = NONE;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_BODY_BYTES) return refuse(request, response, next);
  if (!declared && !request.headers['transfer-encoding']) return next();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else if (size - chunk.length <= MAX_BODY_BYTES) refuse(request, response, next);
  });
  request.on('end', () => {
    if (size > MAX_BODY_BYTES) return;
    target.rawBody = Buffer.concat(chunks);
    next();
  });
}

/** The rest of the body is not worth reading: the connection ends with the answer. */
function refuse(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('connection', 'close');
  request.removeAllListeners('data');
  response.once('finish', () => request.destroy());
  next(new Refusal('payload_too_large', `The body is over ${MAX_BODY_BYTES} bytes. Send less in one request.`));
}
