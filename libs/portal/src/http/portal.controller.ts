/**
 * A payee's wallet in a browser. Nobody is let in but by a mailed link; what changes something carries what only our own pages
 * know, and money moves only within the hour in which the link was used.
 */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { isFormOf, formToken } from '../portal-session';
import { walletPage, type WalletPage, type WordPage, wordPage } from '../pages/wallet';
import { withdrawPage } from '../pages/withdraw';
import { ReadWallet } from '../use-cases/read-wallet';
import { type Owner, type Visitor, VisitPortal } from '../use-cases/visit-portal';
import { SetUpAccount } from '../use-cases/set-up-account';
import { WithdrawFromPortal } from '../use-cases/withdraw-from-portal';
import { CLOSED, FRESH, LEFT, OUTDATED, refusedWithdrawal } from '../pages/portal-words';
import { redirect, sendPage } from './page-answer';
import { PageDoor } from './page-door';
import { PageTroubleFilter } from './page-trouble.filter';
import { dropSession, isFromElsewhere, keepSession, sessionOf } from './portal-cookie';

@ApiExcludeController()
@Controller('portal')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalController {
  constructor(
    private readonly door: PageDoor,
    private readonly visits: VisitPortal,
    private readonly wallets: ReadWallet,
    private readonly withdrawing: WithdrawFromPortal,
    private readonly accounts: SetUpAccount,
  ) {}

  @Get('open/:token')
  async look(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const owner = await this.visits.behindLink(await this.door.portalLinkOf(request, token));
    if (!owner) throw new Refusal('not_found', 'This link opens nothing.');
    const button = { label: 'wallet.open', to: `/portal/open/${token}`, form: null } as const;
    this.say(request, response, { mood: null, heading: 'open.heading', text: 'open.text', button }, { owner });
  }

  @Post('open/:token')
  async open(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    if (isFromElsewhere(request)) return this.say(request, response, OUTDATED, { status: 403 });
    await this.door.portalLinkOf(request, token);
    const session = await this.visits.open(token);
    if (!session) throw new Refusal('not_found', 'This link opens nothing.');
    keepSession(response, session);
    redirect(response, '/portal');
  }

  @Get()
  async wallet(
    @Query('withdrawn') done: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.visitor(request, response);
    if (!visitor) return;
    const wallet = await this.wallets.run(visitor);
    const withdrawn: WalletPage['withdrawn'] = done === 'all' || done === 'some' ? done : null;
    const shown = { wallet, from: fromOf(visitor), form: this.formOf(request), withdrawn };
    sendPage(request, response, (frame) => walletPage({ ...frame, ...shown }), { reader: visitor });
  }

  @Get('withdraw')
  async ask(@Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.visitor(request, response);
    if (!visitor) return;
    if (!visitor.session.isFresh) return this.askForLink(request, response, visitor);
    const wallet = await this.wallets.run(visitor);
    if (wallet.balances.every(({ withdrawableCents }) => withdrawableCents === 0))
      return this.say(request, response, refusedWithdrawal('nothing_to_withdraw'), { owner: visitor, status: 409 });
    const shown = { wallet, from: fromOf(visitor), form: this.formOf(request) };
    sendPage(request, response, (frame) => withdrawPage({ ...frame, ...shown }), { reader: visitor });
  }

  @Post('withdraw')
  async withdraw(
    @Query('form') form: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.visitorWith(form, request, response);
    if (!visitor) return;
    const outcome = await this.withdrawing.run(visitor);
    if (outcome.kind === 'stale') return this.askForLink(request, response, visitor);
    if (outcome.kind === 'withdrawn') return redirect(response, `/portal?withdrawn=${outcome.isAll ? 'all' : 'some'}`);
    this.say(request, response, refusedWithdrawal(outcome.code), { owner: visitor, status: 409 });
  }

  @Post('link')
  async sendLink(
    @Query('form') form: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.visitorWith(form, request, response);
    if (!visitor) return;
    const until = await this.accounts.mailLink(visitor);
    const sent = { mood: 'good', heading: 'sent.heading', text: 'sent.text', until } as const;
    const unsent = { mood: 'wait', heading: 'unsent.heading', text: 'unsent.text', leadsBack: true } as const;
    this.say(request, response, until ? sent : unsent, { owner: visitor, status: until ? 200 : 429 });
  }

  @Post('account')
  async setUp(@Query('form') form: unknown, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.visitorWith(form, request, response);
    if (!visitor) return;
    if (!visitor.session.isFresh) return this.askForLink(request, response, visitor);
    redirect(response, await this.accounts.run(visitor));
  }

  @Post('leave')
  async leave(@Query('form') form: unknown, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.visitorWith(form, request, response);
    if (!visitor) return;
    await this.visits.leave(visitor);
    dropSession(response);
    this.say(request, response, LEFT, { owner: visitor });
  }

  private formOf(request: GatewayRequest): string {
    return formToken(sessionOf(request) as string);
  }

  /** Says that the wallet is closed if it is. */
  private async visitor(request: GatewayRequest, response: Response): Promise<Visitor | null> {
    const visitor = await this.known(request);
    if (!visitor) this.say(request, response, CLOSED, { status: 401 });
    return visitor;
  }

  private async known(request: GatewayRequest): Promise<Visitor | null> {
    const token = sessionOf(request);
    if (token === null) return null;
    try {
      return await this.visits.visitor(await this.door.sessionOf(request, token));
    } catch (thrown) {
      // What a browser kept for too long says the same as what it never had.
      if (thrown instanceof Refusal && thrown.code === 'not_found') return null;
      throw thrown;
    }
  }

  /** Whoever is to change something came from a page of this wallet. */
  private async visitorWith(form: unknown, request: GatewayRequest, response: Response): Promise<Visitor | null> {
    const visitor = await this.visitor(request, response);
    if (!visitor) return null;
    if (!isFromElsewhere(request) && isFormOf(sessionOf(request) as string, form)) return visitor;
    this.say(request, response, OUTDATED, { owner: visitor, status: 403 });
    return null;
  }

  private askForLink(request: GatewayRequest, response: Response, visitor: Visitor): void {
    const button = { label: 'fresh.button', to: '/portal/link', form: this.formOf(request) } as const;
    this.say(request, response, { ...FRESH, button }, { owner: visitor, status: 403 });
  }

  private say(
    request: GatewayRequest,
    response: Response,
    said: Pick<WordPage, 'mood' | 'heading' | 'text' | 'until' | 'button' | 'leadsBack'>,
    { owner, status }: { owner?: Owner; status?: number },
  ): void {
    const from = owner ? fromOf(owner) : '';
    sendPage(request, response, (frame) => wordPage({ ...frame, ...said, from }), { status, reader: owner });
  }
}

const fromOf = ({ client }: Owner): string => client.brand.name ?? client.name;
