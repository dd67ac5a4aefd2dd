/** Says who sends a body before any of it is read: whoever has no key for a route that needs one is refused by its head. */
import { Injectable } from '@nestjs/common';
import { type Access, type GatewayRequest, neighbourhoodOf, type Sender } from '#libs/http-kit';
import { ClientGuard } from './client.guard';
import { OperatorGuard } from './operator.guard';

const CLIENT_KEY = /^Bearer gw_(?:test|live)_/i;

@Injectable()
export class Doorkeeper {
  constructor(
    private readonly clients: ClientGuard,
    private readonly operators: OperatorGuard,
  ) {}

  /** `access` is of the route it goes to, undefined if there is none. null if nobody would look at the body. */
  async whoSends(request: GatewayRequest, access: Access | undefined): Promise<Sender | null> {
    if (access?.kind === 'client') return { name: (await this.clients.identify(request)).client.id, known: true };
    if (access?.kind === 'operator')
      return { name: `operator:${(await this.operators.identify(request)).name}`, known: true };
    const reads = access && request.method !== 'GET' && request.method !== 'HEAD';
    return reads ? { name: neighbourhoodOf(request.ip), known: false } : null;
  }

  /** Not one: who sends no token, or a client's key. A token that is wrong is refused. */
  async isOperator(request: GatewayRequest): Promise<boolean> {
    const { authorization } = request.headers;
    if (authorization === undefined || CLIENT_KEY.test(authorization)) return false;
    await this.operators.identify(request);
    return true;
  }
}
