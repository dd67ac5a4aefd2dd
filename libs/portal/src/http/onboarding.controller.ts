/** The page behind an onboarding link. Its address is the only secret there is: it sets no cookie, so nothing can be forged. */
import { Controller, Get, Inject, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { type RateLimit, Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { SetTestOnboarding } from '#libs/payees';
import { onboardingPage, type OnboardingStep } from '../pages/onboarding';
import { TEST_OUTCOMES, testProviderPage } from '../pages/test-provider';
import { ContinueOnboarding } from '../use-cases/continue-onboarding';
import {
  goesOn,
  isChangeable,
  isRejectedForGood,
  refusedStep,
  type Visit,
  VisitOnboarding,
} from '../use-cases/visit-onboarding';
import { redirect, sendPage, wordsFor } from './page-answer';
import { PageDoor } from './page-door';
import { PageTroubleFilter } from './page-trouble.filter';

const STATUS: Partial<Record<OnboardingStep, number>> = { cooling: 409, refused: 422, later: 503 };

interface Sent {
  step: OnboardingStep;
  token: string;
  until?: Date | null;
  rateLimit?: RateLimit | null;
}

@ApiExcludeController()
@Controller('onboarding')
@UseFilters(PageTroubleFilter)
@Open()
export class OnboardingController {
  constructor(
    private readonly door: PageDoor,
    private readonly visits: VisitOnboarding,
    private readonly continuing: ContinueOnboarding,
    private readonly testing: SetTestOnboarding,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Get(':token')
  async show(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visit(request, token);
    this.send(request, response, visit, { step: visit.stage, token });
  }

  @Post(':token')
  async goOn(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visit(request, token);
    const continued = await this.continuing.run(visit, wordsFor(request, visit).language);
    if (continued.kind === 'go') return redirect(response, continued.url);
    const { as: step, until, rateLimit } = continued;
    this.send(request, response, visit, { step, token, until, rateLimit });
  }

  @Get(':token/test')
  async showTest(
    @Param('token') token: string,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const reader = await this.testVisit(request, token);
    const shown = { onward: `/onboarding/${token}/test`, form: null, outcomes: TEST_OUTCOMES };
    sendPage(request, response, (frame) => testProviderPage({ ...frame, ...shown }), { reader });
  }

  @Post(':token/test/:outcome')
  async endTest(
    @Param('token') token: string,
    @Param('outcome') given: string,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.testVisit(request, token);
    const { client, payee } = visit;
    const outcome = TEST_OUTCOMES.find((known) => known === given);
    if (!outcome) throw new Refusal('not_found', 'There is no such outcome.');
    const reason = outcome === 'rejected' ? wordsFor(request, visit).say('test.reason') : null;
    await this.testing.run(client, payee.id, outcome, reason);
    redirect(response, `/onboarding/${token}`);
  }

  private async visit(request: GatewayRequest, token: string): Promise<Visit> {
    const visit = await this.visits.run(await this.door.linkOf(request, token));
    if (!visit) throw new Refusal('not_found', 'This link opens nothing.');
    return visit;
  }

  private async testVisit(request: GatewayRequest, token: string): Promise<Visit> {
    const visit = await this.visit(request, token);
    const { testMode, status } = visit.client;
    if (!testMode || status !== 'active') throw new Refusal('not_found', 'This link opens nothing.');
    return visit;
  }

  /** Also back from the pages of the rail, to which their wallet led them. */
  private isFromWallet({ kind, returnUrl }: Visit['link']): boolean {
    return kind === 'account' || (kind === 'return' && returnUrl === `${this.config.publicUrl}/portal`);
  }

  private send(
    request: GatewayRequest,
    response: Response,
    visit: Visit,
    { step, token, until = null, rateLimit }: Sent,
  ): void {
    const { client, payee, account } = visit;
    const { returnUrl, frameOrigin } = visit.link;
    const { payable, kycStatus, onboardingStatus } = payee;
    const message = { type: 'payout-gateway:onboarding', step, payable, kycStatus, onboardingStatus };
    sendPage(
      request,
      response,
      (frame) =>
        onboardingPage({
          ...frame,
          ...{
            step,
            from: client.brand.name ?? client.name,
            returnUrl,
            onward: `/onboarding/${token}`,
            account,
            until,
            isFromWallet: this.isFromWallet(visit.link),
            mayChange: step === visit.stage && isChangeable(visit) && goesOn(visit),
            isForGood: step === visit.stage && isRejectedForGood(visit),
            refused: refusedStep(visit),
          },
          reason: payee.kycReason,
          tells: frameOrigin === null ? null : { origin: frameOrigin, message },
        }),
      { status: STATUS[step], rateLimit, frameOrigin, reader: visit },
    );
  }
}
