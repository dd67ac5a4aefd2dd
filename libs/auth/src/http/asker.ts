/**
 * Who asks for a deed that gives out access. The door judged them when they came; a deed that waited for its turn since asks once more, or what
 * was revoked meanwhile would outlive itself (ADR 37).
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { GatewayRequest } from '#libs/http-kit';

export interface Asker {
  /** As the audit log calls them. */
  actor: string;
  /** Refuses as the door would by now. For the transaction of the deed, once it has the locks that it waits for. */
  checkAgain(): Promise<void>;
}

export interface AskedRequest extends GatewayRequest {
  asker: Asker;
}

export const Asking = createParamDecorator(
  (_: unknown, context: ExecutionContext): Asker => context.switchToHttp().getRequest<AskedRequest>().asker,
);
