/** Which wallet is open in this browser, and what to say if none is, or if a request is not from one of our own pages. */
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { RateLimit } from '#libs/domain';
import type { GatewayRequest } from '#libs/http-kit';
import { CLOSED, FRESH, OUTDATED, type Said } from '../pages/portal-words';
import { wordPage } from '../pages/wallet';
import { formToken, isFormOf } from '../portal-session';
import type { Owner, Visitor } from '../use-cases/visit-portal';
import { sendPage } from './page-answer';
import { PageDoor } from './page-door';
import { isFromElsewhere, sessionOf } from './portal-cookie';

@Injectable()
export class WalletDoor {
  constructor(private readonly door: PageDoor) {}

  /** null if it was said that the wallet is closed. */
  async visitor(request: GatewayRequest, response: Response): Promise<Visitor | null> {
    const visitor = await this.door.visitor(request);
    if (!visitor) this.say(request, response, CLOSED, { status: 401 });
    return visitor;
  }

  /** A change is accepted only from a page of this wallet. */
  async visitorWith(form: unknown, request: GatewayRequest, response: Response): Promise<Visitor | null> {
    const visitor = await this.visitor(request, response);
    if (!visitor) return null;
    if (this.isOurs(form, request)) return visitor;
    this.say(request, response, OUTDATED, { owner: visitor, status: 403 });
    return null;
  }

  /** A page that was shown in this browser asks for it. */
  isOurs(form: unknown, request: GatewayRequest): boolean {
    return !isFromElsewhere(request) && isFormOf(sessionOf(request) as string, form);
  }

  /** Whether a link was used so lately that money may move; if not, one is offered. */
  isFresh(request: GatewayRequest, response: Response, visitor: Visitor): boolean {
    if (visitor.session.isFresh) return true;
    const button = { label: 'fresh.button', to: '/portal/link', form: this.formOf(request) } as const;
    this.say(request, response, { ...FRESH, button }, { owner: visitor, status: 403 });
    return false;
  }

  formOf(request: GatewayRequest): string {
    return formToken(sessionOf(request) as string);
  }

  say(
    request: GatewayRequest,
    response: Response,
    said: Said,
    { owner, ...answer }: { owner?: Owner; status?: number; rateLimit?: RateLimit | null },
  ): void {
    const from = owner ? fromOf(owner) : '';
    sendPage(request, response, (frame) => wordPage({ ...frame, ...said, from }), { ...answer, reader: owner });
  }
}

/** In whose name a payee is paid. */
export const fromOf = ({ client }: Owner): string => client.brand.name ?? client.name;
