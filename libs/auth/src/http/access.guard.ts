/** Sends each request to the check its route's decorator asks for. A route without one never starts (see RouteTable). */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS, type Access } from '#libs/http-kit';
import type { AskedRequest } from './asker';
import { ClientGuard } from './client.guard';
import { OperatorGuard } from './operator.guard';

@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly clientGuard: ClientGuard,
    private readonly operatorGuard: OperatorGuard,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access>(ACCESS, [context.getHandler(), context.getClass()]);
    const request = context.switchToHttp().getRequest<AskedRequest>();
    if (access.kind === 'client') request.asker = await this.clientGuard.check(request, access);
    if (access.kind === 'operator') request.asker = await this.operatorGuard.check(request, access.role);
    return true;
  }
}
