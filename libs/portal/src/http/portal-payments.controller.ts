/**
 * A payment that its payee goes on with from their wallet: they say where it goes, and nothing leaves before they saw the address in
 * full, and said yes; or they are led to where its rail lets them take it.
 */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { canonicalId, Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { confirmDestinationPage, destinationPage, takePage } from '../pages/destination';
import { BEGUN, FIXED, LATER, OUTDATED } from '../pages/portal-words';
import { ChooseDestination, type Chosen } from '../use-cases/choose-destination';
import { LeadPayee } from '../use-cases/lead-payee';
import { type ClaimVisit, VisitClaim } from '../use-cases/visit-claim';
import type { Visitor } from '../use-cases/visit-portal';
import { redirect, sendPage } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';
import { fromOf, WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('portal/payments/:id')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalPaymentsController {
  constructor(
    private readonly door: WalletDoor,
    private readonly visits: VisitClaim,
    private readonly choosing: ChooseDestination,
    private readonly leading: LeadPayee,
  ) {}

  @Get()
  async ask(@Param('id') id: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.door.visitor(request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const visit = await this.own(visitor, id);
    if (!visit.isLed) return this.enter(request, response, waiting(visit));
    const shown = { payout: visit.payout, from: fromOf(visit), form: this.door.formOf(request) };
    sendPage(request, response, (frame) => takePage({ ...frame, ...shown }), { reader: visit });
  }

  /** To the provider's own page of it. */
  @Post('take')
  async take(
    @Param('id') id: string,
    @Query('form') form: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const visit = await this.own(visitor, id);
    const url = visit.isLed ? await this.leading.run(visit.payout) : null;
    if (url !== null) return redirect(response, url);
    this.door.say(request, response, visit.isLed ? LATER : OUTDATED, { owner: visit, status: visit.isLed ? 503 : 409 });
  }

  @Get('check')
  async check(
    @Param('id') id: string,
    @Query('to') to: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitor(request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const visit = waiting(await this.own(visitor, id));
    const entered = typeof to === 'string' ? to : '';
    const chosen = await this.choosing.check(visit, entered);
    if (chosen.kind !== 'taken') return this.notTaken(request, response, visit, entered, chosen);
    const { destination } = chosen;
    const shown = { payout: visit.payout, from: fromOf(visit), form: this.door.formOf(request), destination };
    sendPage(request, response, (frame) => confirmDestinationPage({ ...frame, ...shown }), { reader: visit });
  }

  @Post('send')
  async send(
    @Param('id') id: string,
    @Query() { to, form }: { to?: unknown; form?: unknown },
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const visit = await this.own(visitor, id);
    const entered = typeof to === 'string' ? to : '';
    const chosen = await this.choosing.begin(visit, entered);
    if (chosen.kind !== 'taken') return this.notTaken(request, response, visit, entered, chosen);
    this.door.say(request, response, BEGUN, { owner: visit });
  }

  private notTaken(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    entered: string,
    chosen: Exclude<Chosen, { kind: 'taken' }>,
  ): void {
    if (chosen.kind === 'refused') return this.enter(request, response, visit, { entered, refusal: chosen.reason });
    const said = { fixed: FIXED, later: LATER, changed: OUTDATED }[chosen.kind];
    this.door.say(request, response, said, { owner: visit, status: chosen.kind === 'later' ? 503 : 409 });
  }

  private enter(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    { entered, refusal }: { entered: string; refusal: string | null } = { entered: '', refusal: null },
  ): void {
    const shown = { payout: visit.payout, from: fromOf(visit), entered, refusal };
    const status = refusal === null ? 200 : 422;
    sendPage(request, response, (frame) => destinationPage({ ...frame, ...shown }), { reader: visit, status });
  }

  private async own(visitor: Visitor, id: string): Promise<ClaimVisit> {
    const payoutId = canonicalId(id);
    const visit = payoutId === null ? null : await this.visits.own(visitor, payoutId);
    if (!visit) throw new Refusal('not_found', 'There is no such payment in this wallet.');
    return visit;
  }
}

/** Of one that waits for nobody there is nothing to enter. */
function waiting(visit: ClaimVisit): ClaimVisit {
  if (visit.stage !== 'wallet' || visit.isLed) throw new Refusal('not_found', 'Nothing waits for an address here.');
  return visit;
}
