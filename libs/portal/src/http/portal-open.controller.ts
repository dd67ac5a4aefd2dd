/** A mailed link into a wallet: whoever looks at it uses nothing up, whoever clicks opens the wallet in this browser, once. */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { OUTDATED } from '../pages/portal-words';
import { OpenWallet } from '../use-cases/open-wallet';
import { VisitPortal } from '../use-cases/visit-portal';
import { redirect } from './page-answer';
import { PageDoor } from './page-door';
import { PageTroubleFilter } from './page-trouble.filter';
import { isFromElsewhere, keepSession } from './portal-cookie';
import { WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('portal/open/:token')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalOpenController {
  constructor(
    private readonly door: PageDoor,
    private readonly visits: VisitPortal,
    private readonly opening: OpenWallet,
    private readonly wallet: WalletDoor,
  ) {}

  @Get()
  async look(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const link = await this.door.portalLinkOf(request, token);
    if (!link) return redirect(response, '/portal');
    const owner = await this.visits.behindLink(link);
    if (!owner) throw new Refusal('not_found', 'This link opens nothing.');
    const button = {
      label: 'start.button',
      to: `/portal/open/${token}?tap=${this.opening.newTap()}`,
      form: null,
    } as const;
    this.wallet.say(request, response, { mood: null, heading: 'open.heading', text: null, button }, { owner });
  }

  @Post()
  async open(
    @Param('token') token: string,
    @Query('tap') tap: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (isFromElsewhere(request)) return this.wallet.say(request, response, OUTDATED, { status: 403 });
    const session = this.opening.sessionOf(token, tap);
    if (!(await this.door.openingOf(request, token, session))) return redirect(response, '/portal');
    if (!(await this.opening.run(token, session))) throw new Refusal('not_found', 'This link opens nothing.');
    keepSession(response, session);
    redirect(response, '/portal');
  }
}
