/**
 * A payment that its payee goes on with from their wallet: they say where it goes, or are led to where its rail lets them take it. Nothing
 * leaves before they saw the full address and confirmed it; nor, if their client or the rail requires it, before they were checked.
 */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { destinationOf, isAskedAgain, legForPayee } from '#libs/payout-rules';
import { confirmDestinationPage, destinationPage } from '../pages/destination';
import { ARRIVED, BEGUN, BLOCKED, FIXED, LATER, OUTDATED } from '../pages/portal-words';
import { ChooseDestination, type Chosen } from '../use-cases/choose-destination';
import type { ClaimVisit } from '../use-cases/visit-claim';
import type { Visitor } from '../use-cases/visit-portal';
import { CheckGate } from './check-gate';
import { OwnPayment } from './own-payment';
import { redirect, sendPage } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';
import { TakeOffer } from './take-offer';
import { fromOf, WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('portal/payments/:id')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalPaymentsController {
  constructor(
    private readonly door: WalletDoor,
    private readonly payments: OwnPayment,
    private readonly gate: CheckGate,
    private readonly choosing: ChooseDestination,
    private readonly taking: TakeOffer,
  ) {}

  @Get()
  async ask(@Param('id') id: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.visitor(request, response);
    if (!visitor) return;
    const led = await this.taking.of(visitor, id);
    if (led) return this.taking.offer(request, response, led);
    const visit = await this.waiting(visitor, id, request, response);
    if (visit) await this.enter(request, response, visit);
  }

  @Get('check')
  async check(
    @Param('id') id: string,
    @Query() { to, form }: { to?: unknown; form?: unknown },
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.visitor(request, response);
    const visit = visitor && (await this.waiting(visitor, id, request, response, 409));
    if (!visit) return;
    // Somebody who sends a payee a link must not choose the address that the payee is asked to confirm.
    if (!this.door.isOurs(form, request)) return this.enter(request, response, visit, { status: 403 });
    const entered = typeof to === 'string' ? to : '';
    const chosen = await this.choosing.check(visit, entered);
    if (chosen.kind !== 'taken') return void (await this.notTaken(request, response, visit, entered, chosen));
    const { destination } = chosen;
    const isRecased = isSameButForCase(entered.trim(), destination);
    const asked = { payout: visit.payout, from: fromOf(visit), form: this.door.formOf(request) };
    const shown = { ...asked, destination, isRecased };
    sendPage(request, response, (frame) => confirmDestinationPage({ ...frame, ...shown }), { reader: visit });
  }

  @Post('send')
  async send(
    @Param('id') id: string,
    @Query() { to, form, of }: { to?: unknown; form?: unknown; of?: unknown },
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const visit = await this.payments.of(visitor, id);
    // Said of the address that was refused since, as by a page that is loaded again: they are asked, and told so.
    if (legForPayee(visit.payout) && of !== String(visit.payout.legs.length))
      return this.enter(request, response, visit, { status: 409 });
    const entered = typeof to === 'string' ? to : '';
    const chosen = await this.choosing.begin(visit, entered);
    if (chosen.kind !== 'taken') return void (await this.notTaken(request, response, visit, entered, chosen));
    redirect(response, `/portal/payments/${visit.payout.id}/sent`);
  }

  /** To be loaded again as often as they like. */
  @Get('sent')
  async sent(@Param('id') id: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.visitor(request, response);
    if (!visitor) return;
    const { payout } = await this.payments.of(visitor, id);
    if (destinationOf(payout) === null) return redirect(response, `/portal/payments/${payout.id}`);
    this.door.say(request, response, payout.status === 'paid' ? ARRIVED : BEGUN, { owner: visitor });
  }

  private async notTaken(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    entered: string,
    chosen: Exclude<Chosen, { kind: 'taken' }>,
  ): Promise<void> {
    if (chosen.kind === 'unchecked') return this.unchecked(request, response, visit);
    const refused = { entered, refusal: chosen.kind === 'refused' ? chosen.reason : null, status: 422 };
    if (chosen.kind === 'refused') return this.enter(request, response, visit, refused);
    const said = { blocked: BLOCKED, fixed: FIXED, later: LATER, changed: OUTDATED }[chosen.kind];
    this.door.say(request, response, said, { owner: visit, status: chosen.kind === 'later' ? 503 : 409 });
  }

  /** By the time that it is said why, they may have been cleared. */
  private async unchecked(request: GatewayRequest, response: Response, visit: ClaimVisit): Promise<void> {
    if (!(await this.gate.lets(request, response, visit, { status: 409 }))) return;
    this.door.say(request, response, OUTDATED, { owner: visit, status: 409 });
  }

  private async enter(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    { entered = '', refusal = null, status = 200 }: { entered?: string; refusal?: string | null; status?: number } = {},
  ): Promise<void> {
    const arrival = await this.choosing.arrivesAs(visit);
    const form = this.door.formOf(request);
    const { payout } = visit;
    const shown = { payout, from: fromOf(visit), form, entered, refusal, isAgain: isAskedAgain(payout), arrival };
    sendPage(request, response, (frame) => destinationPage({ ...frame, ...shown }), { reader: visit, status });
  }

  private async visitor(request: GatewayRequest, response: Response): Promise<Visitor | null> {
    const visitor = await this.door.visitor(request, response);
    return visitor && this.door.isFresh(request, response, visitor) ? visitor : null;
  }

  /** null if it was said what is to be done first, or it waits for nobody. `status`: of that, where something else was asked for. */
  private async waiting(
    visitor: Visitor,
    id: string,
    request: GatewayRequest,
    response: Response,
    status = 200,
  ): Promise<ClaimVisit | null> {
    const visit = await this.payments.notLeft(visitor, id);
    if (!visit) return this.toWallet(response);
    if (!(await this.gate.lets(request, response, visit, { status }))) return null;
    return visit.stage === 'wallet' ? visit : this.toWallet(response);
  }

  /** It waits for them no more, as after a step back from what was sent: their wallet says how it stands. */
  private toWallet(response: Response): null {
    redirect(response, '/portal');
    return null;
  }
}

const isSameButForCase = (one: string, other: string): boolean =>
  one !== other && one.toLowerCase() === other.toLowerCase();
