/** The link in a mail about waiting money. It shows nothing of it: a click has a fresh link mailed, to the payee's own address. */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { OUTDATED, sentBy, unsentFor } from '../pages/portal-words';
import { SetUpAccount } from '../use-cases/set-up-account';
import { type Owner, VisitPortal } from '../use-cases/visit-portal';
import { PageDoor } from './page-door';
import { PageTroubleFilter } from './page-trouble.filter';
import { redirect } from './page-answer';
import { isFromElsewhere } from './portal-cookie';
import { WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('wallet/:token')
@UseFilters(PageTroubleFilter)
@Open()
export class WalletLinkController {
  constructor(
    private readonly door: PageDoor,
    private readonly visits: VisitPortal,
    private readonly accounts: SetUpAccount,
    private readonly wallet: WalletDoor,
  ) {}

  @Get()
  async look(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const owner = await this.ownerOf(request, token);
    // An open wallet asks for a fresh link itself, where it wants one.
    if (await this.door.isOpenFor(request, owner.payee)) return redirect(response, '/portal');
    const button = { label: 'claim.wallet.button', to: `/wallet/${token}`, form: null } as const;
    const said = { mood: null, heading: 'open.heading', text: 'waiting.text', button } as const;
    this.wallet.say(request, response, said, { owner });
  }

  @Post()
  async mailLink(
    @Param('token') token: string,
    @Query('again') again: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (isFromElsewhere(request)) return this.wallet.say(request, response, OUTDATED, { status: 403 });
    const owner = await this.ownerOf(request, token);
    const refusal = await this.accounts.mailLink(owner, true);
    const said = refusal === null ? sentBy(`/wallet/${token}`, again !== undefined) : unsentFor(refusal.why, false);
    this.wallet.say(request, response, said, { owner, status: refusal ? 409 : 200, rateLimit: refusal?.rateLimit });
  }

  private async ownerOf(request: GatewayRequest, token: string): Promise<Owner> {
    const owner = await this.visits.behindLink(await this.door.walletLinkOf(request, token));
    if (!owner) throw new Refusal('not_found', 'This link opens nothing.');
    return owner;
  }
}
