/** The one place that turns what was thrown into an answer. Expected refusals keep their code; all else is our fault. */
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { CommitUnknown, DatabaseTrouble } from '#libs/db';
import { Refusal, TooMany } from '#libs/domain';
import { log } from '#libs/telemetry';
import type { GatewayRequest } from './gateway-request';
import { RouteTable } from './route-table';
import { sayLimit } from './try-again';

/** Most of what keeps the database away is over in a moment; whoever asks again sooner only adds to it. */
const RETRY_AFTER_SECONDS = '1';
const NOT_DONE =
  'The database cannot be used at the moment. Nothing is known to be lost: send the same request again, signed anew.';
const UNKNOWN =
  'The database was lost before it said whether this was done. Send the same request again, signed anew and with the same ' +
  'idempotencyKey or reference: nothing is done twice. If it has neither, look first whether it was done.';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly routes: RouteTable) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<GatewayRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const refusal = this.refusalOf(thrown, request, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { code, message, details } = refusal;
    if (refusal instanceof TooMany) sayLimit(request, refusal.rateLimit);
    if (code === 'service_unavailable') response.setHeader('retry-after', RETRY_AFTER_SECONDS);
    response.status(refusal.status).json({ error: code, message, ...(details ? { details } : {}) });
  }

  private refusalOf(thrown: unknown, request: GatewayRequest, response: Response): Refusal {
    if (thrown instanceof Refusal) return thrown;
    if (isRouting(thrown)) return this.noRoute(request, response);
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { requestId } = request;
    if (error instanceof DatabaseTrouble) {
      const { kind, code } = error;
      log.warn(
        { event: 'request.failed', requestId, code: 'service_unavailable', kind, sqlState: code },
        error.message,
      );
      return new Refusal('service_unavailable', error instanceof CommitUnknown ? UNKNOWN : NOT_DONE);
    }
    log.error({ event: 'request.failed', requestId, code: 'internal_error', stack: error.stack }, error.message);
    return new Refusal('internal_error', `Something went wrong on our side. Quote request ${requestId}.`);
  }

  private noRoute(request: GatewayRequest, response: Response): Refusal {
    const methods = this.routes.methodsAt(request.path);
    if (methods.length === 0) return new Refusal('not_found', 'There is nothing at this path. See /docs.');
    response.setHeader('allow', methods.join(', '));
    return new Refusal('method_not_allowed', `This path takes ${methods.join(', ')}.`);
  }
}

/** Nest's own exceptions all come from routing here: no handler of ours throws one. */
function isRouting(thrown: unknown): boolean {
  return (thrown instanceof HttpException && thrown.getStatus() === 404) || thrown instanceof URIError;
}
