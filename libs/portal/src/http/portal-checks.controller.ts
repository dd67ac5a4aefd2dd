/** From a payment in the wallet to where its payee is checked, and in test mode what stands in place of that. */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import type { DirectedCheck } from '#libs/rail-kit';
import { CHECK_OUTCOMES, type CheckOutcome, testProviderPage } from '../pages/test-provider';
import { GoToCheck } from '../use-cases/go-to-check';
import { PageChecks } from '../use-cases/page-checks';
import type { ClaimVisit } from '../use-cases/visit-claim';
import { CheckGate } from './check-gate';
import { OwnPayment } from './own-payment';
import { redirect, sendPage, wordsFor } from './page-answer';
import { PageTroubleFilter } from './page-trouble.filter';
import { WalletDoor } from './wallet-door';

@ApiExcludeController()
@Controller('portal/payments/:id/identity')
@UseFilters(PageTroubleFilter)
@Open()
export class PortalChecksController {
  constructor(
    private readonly door: WalletDoor,
    private readonly payments: OwnPayment,
    private readonly gate: CheckGate,
    private readonly going: GoToCheck,
    private readonly checks: PageChecks,
  ) {}

  @Post()
  async goOn(
    @Param('id') id: string,
    @Query('form') form: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.acting(id, form, request, response);
    if (!visit) return;
    const { kind } = await this.checks.standing(visit);
    if (kind === 'cleared') return redirect(response, pageOf(visit));
    if ((await this.checks.isOnHold(visit)) || !LEADS_ON.includes(kind))
      return void (await this.gate.lets(request, response, visit, { status: 409 }));
    const went = await this.going.run(visit, wordsFor(request, visit).language);
    if (went.kind === 'go') return redirect(response, went.url);
    this.gate.say(request, response, visit, { step: went.as, rateLimit: went.rateLimit });
  }

  @Get('test')
  async showTest(@Param('id') id: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visitor = await this.door.visitor(request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return;
    const own = await this.payments.notLeft(visitor, id);
    if (!own) return redirect(response, '/portal');
    const visit = ofTest(own);
    const shown = {
      onward: `${pageOf(visit)}/identity/test`,
      form: this.door.formOf(request),
      outcomes: CHECK_OUTCOMES,
    };
    sendPage(request, response, (frame) => testProviderPage({ ...frame, ...shown }), { reader: visit });
  }

  @Post('test/:outcome')
  async endTest(
    @Param('id') id: string,
    @Param('outcome') given: string,
    @Query('form') form: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const acting = await this.acting(id, form, request, response);
    if (!acting) return;
    const visit = ofTest(acting);
    const outcome = CHECK_OUTCOMES.find((known) => known === given);
    if (!outcome) throw new Refusal('not_found', 'There is no such outcome.');
    await this.checks.direct(visit, directed(outcome, wordsFor(request, visit).say('test.reason')));
    redirect(response, pageOf(visit));
  }

  /** null if it was said why not. */
  private async acting(
    id: string,
    form: unknown,
    request: GatewayRequest,
    response: Response,
  ): Promise<ClaimVisit | null> {
    const visitor = await this.door.visitorWith(form, request, response);
    if (!visitor || !this.door.isFresh(request, response, visitor)) return null;
    const visit = await this.payments.notLeft(visitor, id);
    if (!visit) redirect(response, '/portal');
    return visit;
  }
}

const LEADS_ON: readonly string[] = ['to_do', 'rejected'];

const pageOf = ({ payout }: ClaimVisit): string => `/portal/payments/${payout.id}`;

function ofTest(visit: ClaimVisit): ClaimVisit {
  if (!visit.client.testMode) throw new Refusal('not_found', 'There is nothing at this path.');
  return visit;
}

function directed(outcome: CheckOutcome, reason: string): DirectedCheck {
  switch (outcome) {
    case 'verified':
      return { kind: 'cleared' };
    case 'pending':
      return { kind: 'checking' };
    case 'rejected':
      return { kind: 'rejected', reason };
    case 'down':
      return { kind: 'down' };
  }
}
