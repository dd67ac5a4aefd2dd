/** A page's reader is a person, so an error is shown to them as a page as well. */
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { DatabaseTrouble } from '#libs/db';
import { Refusal, TooMany } from '#libs/domain';
import { type GatewayRequest, sayLimit } from '#libs/http-kit';
import { log } from '#libs/telemetry';
import { goneMailPage, gonePage, oftenPage, troublePage } from '../pages/gone';
import { sendPage } from './page-answer';

const RETRY_AFTER_SECONDS = '1';

/** These stand in mails about money. */
const gonePageOf = ({ path }: GatewayRequest): typeof gonePage =>
  /^\/(wallet|claim)\//.test(path) ? goneMailPage : gonePage;

@Catch()
export class PageTroubleFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<GatewayRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    if (thrown instanceof TooMany) sayLimit(request, thrown.rateLimit);
    if (thrown instanceof Refusal && thrown.status < 500) {
      const page = thrown.code === 'rate_limited' ? oftenPage : gonePageOf(request);
      return sendPage(request, response, page, { status: thrown.status });
    }
    const isDatabase = thrown instanceof DatabaseTrouble || thrown instanceof Refusal;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const fields = { event: 'request.failed', requestId: request.requestId };
    if (isDatabase) log.warn({ ...fields, code: 'service_unavailable' }, error.message);
    else log.error({ ...fields, code: 'internal_error', stack: error.stack }, error.message);
    if (isDatabase) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
    sendPage(request, response, troublePage, { status: isDatabase ? 503 : 500 });
  }
}
