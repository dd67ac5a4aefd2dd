/** A payment that waits for its payee to say where it goes. Nothing leaves before they saw the address in full, and said yes. */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { canonicalId, Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { confirmDestinationPage, destinationPage } from '../pages/destination';
import { BEGUN, FIXED, LATER, OUTDATED } from '../pages/portal-words';
import { ChooseDestination, type Chosen } from '../use-cases/choose-destination';
import { type ClaimVisit, VisitClaim } from '../use-cases/visit-claim';
import type { Visitor } from '../use-cases/visit-portal';
import { sendPage } from './page-answer';
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
  ) {}

  @Get()
  async ask(@Param('id') id: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.door.visitor(request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    this.enter(request, response, await this.waiting(visitor, id));
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
    const visit = await this.waiting(visitor, id);
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

  /** Another payee's, or one that waits for nobody: there is nothing to enter. */
  private async waiting(visitor: Visitor, id: string): Promise<ClaimVisit> {
    const visit = await this.own(visitor, id);
    if (visit.stage !== 'wallet') throw new Refusal('not_found', 'Nothing waits for an address here.');
    return visit;
  }

  private async own(visitor: Visitor, id: string): Promise<ClaimVisit> {
    const payoutId = canonicalId(id);
    const visit = payoutId === null ? null : await this.visits.own(visitor, payoutId);
    if (!visit) throw new Refusal('not_found', 'There is no such payment in this wallet.');
    return visit;
  }
}
