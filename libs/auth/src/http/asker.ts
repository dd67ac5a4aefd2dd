/**
 * The person or client behind a deed that gives out access. They were checked on arrival; a deed that has waited since then checks them again,
 * so that a revoked key or token cannot leave new access behind (ADR 37).
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { GatewayRequest } from '#libs/http-kit';

export interface Asker {
  /** Their name in the audit log. */
  actor: string;
  /** Refuses as a new request would be refused now. Called in the deed's transaction, once it has the locks it waits for. */
  checkAgain(): Promise<void>;
}

export interface AskedRequest extends GatewayRequest {
  asker: Asker;
}

export const Asking = createParamDecorator(
  (_: unknown, context: ExecutionContext): Asker => context.switchToHttp().getRequest<AskedRequest>().asker,
);
