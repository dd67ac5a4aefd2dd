import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { GatewayRequest } from '#libs/http-kit';
import type { Client } from '#libs/clients';

export interface ClientRequest extends GatewayRequest {
  client: Client;
}

/** The client whose signed request this is. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Client => context.switchToHttp().getRequest<ClientRequest>().client,
);
