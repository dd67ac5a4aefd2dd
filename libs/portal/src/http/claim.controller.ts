/** The page of one payment. Whoever has its link sees how it stands; what moves money is done from the wallet, or at the rail. */
import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { type PayeeNotice, Refusal } from '#libs/domain';
import { type GatewayRequest, Open } from '#libs/http-kit';
import { DirectTestPayout } from '#libs/test-payouts';
import { type ClaimPage, claimPage } from '../pages/claim';
import { sentBy, unsentFor } from '../pages/portal-words';
import { wordPage } from '../pages/wallet';
import { MoneyBack } from '../use-cases/money-back';
import { SetUpAccount } from '../use-cases/set-up-account';
import { type ClaimVisit, VisitClaim } from '../use-cases/visit-claim';
import { redirect, sendPage } from './page-answer';
import { PageDoor } from './page-door';
import { PageTroubleFilter } from './page-trouble.filter';
import { isFromElsewhere } from './portal-cookie';
import { fromOf } from './wallet-door';

@ApiExcludeController()
@Controller('claim')
@UseFilters(PageTroubleFilter)
@Open()
export class ClaimController {
  constructor(
    private readonly door: PageDoor,
    private readonly visits: VisitClaim,
    private readonly accounts: SetUpAccount,
    private readonly testing: DirectTestPayout,
    private readonly moneyBack: MoneyBack,
  ) {}

  @Get(':token')
  async show(@Param('token') token: string, @Req() request: GatewayRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visit(request, token);
    const isOutOfReach = leadsToWallet(visit) && visit.payee.email === null;
    const isOpenHere = await this.door.isOpenFor(request, visit.payee);
    const shown = { visit, from: fromOf(visit), back: await this.moneyBack.of(visit), isOutOfReach };
    const action = isOutOfReach ? null : actionOf(visit, token, isOpenHere);
    sendPage(request, response, (frame) => claimPage({ ...frame, ...shown, action }), {
      reader: visit,
      asksAgain: true,
    });
  }

  /** To the payee's own address: whoever else has the link gains nothing by it. */
  @Post(':token/link')
  async mailLink(
    @Param('token') token: string,
    @Query('again') again: unknown,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.acting(request, token);
    // It changed since their page was shown: its page says how it stands.
    if (!leadsToWallet(visit)) return redirect(response, `/claim/${token}`);
    const refusal = await this.accounts.mailLink(visit, true);
    const said = refusal === null ? sentBy(`/claim/${token}/link`, again !== undefined) : unsentFor(refusal.why, false);
    sendPage(request, response, (frame) => wordPage({ ...frame, ...said, from: fromOf(visit) }), {
      reader: visit,
      status: refusal ? 409 : 200,
      rateLimit: refusal?.rateLimit,
    });
  }

  /** In test mode, in place of the provider's own page. */
  @Post(':token/test')
  async claimTest(
    @Param('token') token: string,
    @Req() request: GatewayRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { client, payout, stage } = await this.acting(request, token);
    if (!client.testMode || stage !== 'provider') throw gone();
    await this.testing.claim(client, payout.id);
    redirect(response, `/claim/${token}`);
  }

  private async visit(request: GatewayRequest, token: string): Promise<ClaimVisit> {
    const payout = await this.door.payoutOf(request, token);
    const visit = await this.visits.run(payout);
    if (!visit) throw gone();
    return visit;
  }

  private async acting(request: GatewayRequest, token: string): Promise<ClaimVisit> {
    const visit = await this.visit(request, token);
    if (isFromElsewhere(request)) throw gone();
    return visit;
  }
}

const gone = (): Refusal => new Refusal('not_found', 'This link opens nothing.');

const placeOf = ({ id }: ClaimVisit['payout']): string => `/portal/payments/${id}`;

/** There they set up their account, or look where they are paid. */
const SEEN_TO_IN_WALLET: ReadonlySet<PayeeNotice> = new Set(['set_up', 'not_accepted', 'sent_back']);

/** The next step is done in the wallet. */
const leadsToWallet = ({ stage, isLed, notice, hasComeBack }: ClaimVisit): boolean =>
  stage === 'wallet' || isLed || hasComeBack || (notice !== null && SEEN_TO_IN_WALLET.has(notice));

function actionOf(visit: ClaimVisit, token: string, isOpenHere: boolean): ClaimPage['action'] {
  const { stage, client, notice, payee } = visit;
  // There is nothing left for them to do: it is for who pays them to send it.
  if (notice === 'set_up' && payee.payable) return null;
  if (leadsToWallet(visit) && isOpenHere) return actionHere(visit);
  if (leadsToWallet(visit)) return { label: 'claim.wallet.button', to: `/claim/${token}/link`, isLink: false };
  if (stage === 'provider' && client.testMode)
    return { label: 'claim.test.button', to: `/claim/${token}/test`, isLink: false };
  return isOpenHere ? { label: 'wallet.open', to: '/portal', isLink: true } : null;
}

/** Where their wallet is open. */
function actionHere({ stage, isLed, checksFirst, payout }: ClaimVisit): ClaimPage['action'] {
  const to = placeOf(payout);
  if (isLed) return { label: stage === 'paid' ? 'wallet.claim_again' : 'wallet.claim', to, isLink: true };
  if (stage === 'wallet') return { label: checksFirst ? 'wallet.go_on' : 'wallet.send_on', to, isLink: true };
  return { label: 'wallet.open', to: '/portal', isLink: true };
}
