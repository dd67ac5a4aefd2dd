/**
 * A payee's wallet in a browser. A request that changes something carries what only our own pages know, and money moves only within the
 * hour in which the link was used.
 */
import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { decodeCursor } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { walletPage, type WalletPage } from '../pages/wallet';
import { withdrawPage } from '../pages/withdraw';
import { ReadWallet } from '../use-cases/read-wallet';
import { type Visitor, VisitPortal } from '../use-cases/visit-portal';
import { SetUpAccount } from '../use-cases/set-up-account';
import { wordFor } from '../use-cases/what-is-confirmed';
import { WithdrawFromPortal } from '../use-cases/withdraw-from-portal';
import { BLOCKED, LEFT, refusedWithdrawal, sentBy, unsentFor } from '../pages/portal-words';
import { redirect, sendPage } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';
import { dropSession } from './portal-cookie';
import { fromOf, WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('portal')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalController {
  constructor(
    private readonly door: WalletDoor,
    private readonly visits: VisitPortal,
    private readonly wallets: ReadWallet,
    private readonly withdrawing: WithdrawFromPortal,
    private readonly accounts: SetUpAccount,
  ) {}

  @Get()
  async wallet(
    @Query() { withdrawn: done, after }: { withdrawn?: unknown; after?: unknown },
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitor(request, response);
    if (!visitor) return;
    // An unknown place shows the beginning of the list: no page of ours leads to one.
    const place = typeof after === 'string' ? decodeCursor(after) : null;
    const wallet = await this.wallets.run(visitor, place);
    const withdrawn: WalletPage['withdrawn'] = done === 'all' || done === 'some' || done === 'none' ? done : null;
    const shown = {
      wallet,
      from: fromOf(visitor),
      form: this.door.formOf(request),
      withdrawn,
      isOlder: place !== null,
    };
    sendPage(request, response, (frame) => walletPage({ ...frame, ...shown }), { reader: visitor });
  }

  @Get('withdraw')
  async ask(@Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.door.visitor(request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    if (visitor.payee.blocked) return this.door.say(request, response, BLOCKED, { owner: visitor, status: 409 });
    await this.confirm(visitor, request, response);
  }

  private async confirm(
    visitor: Visitor,
    request: GatewayRequest,
    response: Response,
    isChanged = false,
  ): Promise<void> {
    const wallet = await this.wallets.run(visitor);
    if (wallet.balances.every(({ withdrawableCents }) => withdrawableCents === 0))
      return this.door.say(request, response, refusedWithdrawal('nothing_to_withdraw'), {
        owner: visitor,
        status: 409,
      });
    const { outlook, balances, hindrance, setUp } = wallet;
    if (hindrance || setUp)
      return this.door.say(request, response, refusedWithdrawal('payee_not_payable'), { owner: visitor, status: 409 });
    if (outlook?.against) {
      const said = refusedWithdrawal(outlook.against, { outlook, balances });
      return this.door.say(request, response, said, { owner: visitor, status: 409 });
    }
    const of = wordFor(visitor.session, wallet);
    const shown = { wallet, from: fromOf(visitor), form: this.door.formOf(request), of, isChanged };
    const status = isChanged ? 409 : 200;
    sendPage(request, response, (frame) => withdrawPage({ ...frame, ...shown }), { reader: visitor, status });
  }

  @Post('withdraw')
  async withdraw(
    @Query() { form, of }: { form?: unknown; of?: unknown },
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    if (visitor.payee.blocked) return this.door.say(request, response, BLOCKED, { owner: visitor, status: 409 });
    const outcome = await this.withdrawing.run(visitor, of);
    if (outcome.kind === 'changed') return this.confirm(visitor, request, response, true);
    if (outcome.kind === 'withdrawn') return redirect(response, `/portal?withdrawn=${outcome.went}`);
    const said = refusedWithdrawal(outcome.code, outcome);
    this.door.say(request, response, said, { owner: visitor, status: 409 });
  }

  @Post('link')
  async sendLink(
    @Query() { form, again }: { form?: unknown; again?: unknown },
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor) return;
    const refusal = await this.accounts.mailLink(visitor, false);
    const sent = sentBy('/portal/link', again !== undefined, this.door.formOf(request));
    const said = refusal === null ? sent : unsentFor(refusal.why, true);
    this.door.say(request, response, said, {
      owner: visitor,
      status: refusal ? 409 : 200,
      rateLimit: refusal?.rateLimit,
    });
  }

  @Post('account')
  async setUp(@Query('form') form: unknown, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    redirect(response, await this.accounts.run(visitor));
  }

  @Post('leave')
  async leave(@Query('form') form: unknown, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor) return;
    await this.visits.leave(visitor);
    dropSession(response);
    this.door.say(request, response, LEFT, { owner: visitor });
  }
}
