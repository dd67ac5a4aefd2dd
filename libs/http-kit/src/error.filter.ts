/** The one place that turns what was thrown into an answer. Expected refusals keep their code; all else is our fault. */
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { type ErrorCode, Refusal } from '#libs/domain';
import { log } from '#libs/telemetry';
import type { GatewayRequest } from './gateway-request';
import { RouteTable } from './route-table';

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
    response.status(refusal.status).json({ error: code, message, ...(details ? { details } : {}) });
  }

  private refusalOf(thrown: unknown, request: GatewayRequest, response: Response): Refusal {
    if (thrown instanceof Refusal) return thrown;
    if (isRouting(thrown)) return this.noRoute(request, response);
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const code: ErrorCode = isDatabaseAway(error) ? 'service_unavailable' : 'internal_error';
    log.error({ event: 'request.failed', requestId: request.requestId, code, stack: error.stack }, error.message);
    return code === 'service_unavailable'
      ? new Refusal(code, 'The database does not answer. Nothing is known to be lost: send the same request again.')
      : new Refusal(code, `Something went wrong on our side. Quote request ${request.requestId}.`);
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

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08001',
]);

function isDatabaseAway(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && CONNECTION_CODES.has(code)) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  );
}
