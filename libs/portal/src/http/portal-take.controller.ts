/** The click that leads a payee to the provider's own page of a payment. */
import { Controller, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { LATER, OUTDATED } from '../pages/portal-words';
import { LeadPayee } from '../use-cases/lead-payee';
import { OwnPayment } from './own-payment';
import { redirect } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';
import { TakeOffer } from './take-offer';
import { WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('portal/payments/:id/take')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalTakeController {
  constructor(
    private readonly door: WalletDoor,
    private readonly payments: OwnPayment,
    private readonly taking: TakeOffer,
    private readonly leading: LeadPayee,
  ) {}

  @Post()
  async take(
    @Param('id') id: string,
    @Query('form') form: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const visit = await this.payments.of(visitor, id);
    if (!visit.isLed) return this.door.say(request, response, OUTDATED, { owner: visit, status: 409 });
    if (!(await this.taking.lets(request, response, visit, { status: 409, asking: 'moving' }))) return;
    const url = await this.leading.run(visit);
    if (url !== null) return redirect(response, url);
    this.door.say(request, response, LATER, { owner: visit, status: 503 });
  }
}
