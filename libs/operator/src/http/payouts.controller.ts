import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator } from '#libs/auth';
import { invalidField, isHolding, REASONS, Refusal } from '#libs/domain';
import { Describe, IdParam, limitOrDefault, List, NoBody, OperatorRole, pageOf, Refuses } from '#libs/http-kit';
import { JobReads } from '#libs/jobs';
import { payoutFilterOf, PayoutReads, ReadPayout, transactionDetailView } from '#libs/payouts';
import { OperatePayouts } from '../use-cases/operate-payouts';
import { lastAnswerView, lastAttemptView } from './attempt.view';
import { jobView } from './jobs.controller';
import { legView } from './leg.view';
import {
  destinationView,
  railFeeView,
  GiveUpBody,
  OperatorPayoutDetailView,
  OperatorPayoutPage,
  OperatorPayoutView,
  operatorPayoutView,
  SearchPayoutsQuery,
} from './payouts.dto';

@ApiTags('Operator: payouts')
@Controller('operator/v1')
export class OperatorPayoutsController {
  constructor(
    private readonly operate: OperatePayouts,
    private readonly reads: PayoutReads,
    private readonly details: ReadPayout,
    private readonly jobs: JobReads,
  ) {}

  @Get('payouts')
  @List()
  @OperatorRole('viewer')
  @Describe('Search the payouts of all clients', { addition: true })
  @Refuses('invalid_request', 'invalid_status', 'invalid_cursor')
  @ApiOkResponse({ type: OperatorPayoutPage })
  async search(@Query() query: SearchPayoutsQuery): Promise<OperatorPayoutPage> {
    const limit = limitOrDefault(query.limit);
    const { cursor, cursor2 = cursor, ...filters } = query;
    const filter = payoutFilterOf({ ...filters, cursor2 }, 'nextCursor');
    refuseUnbounded(query);
    const { clientId, providerRef, railKey, idempotencyKey, amountCents, reasonCode } = query;
    const exact = { clientId, providerRef, railKey, idempotencyKey, amountCents, reasonCode };
    const oldestFirst = query.order === 'oldest';
    const status = filter.status ?? (reasonCode !== undefined && isOfHeldAlone(reasonCode) ? 'held' : undefined);
    const rows = await this.reads.list({ ...filter, ...exact, status, oldestFirst }, limit);
    return pageOf(rows, limit, operatorPayoutView);
  }

  @Get('payouts/:id')
  @OperatorRole('viewer')
  @Describe('Read any payout with its reason and its event trail', { addition: true })
  @Refuses('payout_not_found')
  @ApiOkResponse({ type: OperatorPayoutDetailView })
  async read(@IdParam('payout_not_found') id: string): Promise<OperatorPayoutDetailView> {
    const { payout, trail } = await this.details.ofAnybody(id);
    const jobs = await this.jobs.about(id);
    const { clientId, railKey, attempt: attempts } = payout;
    const detail = transactionDetailView(payout, trail, 1);
    return {
      ...detail,
      clientId,
      railKey,
      destination: destinationView(payout),
      railFee: railFeeView(payout),
      attempts,
      lastAttempt: lastAttemptView({ payout, trail }),
      lastAnswer: lastAnswerView({ payout, trail }),
      jobs: jobs.map(jobView),
      legs: payout.legs.map(legView),
    };
  }

  @Post('payouts/:id/release')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Put a held payout to its gates again', { addition: true })
  @Refuses('invalid_request', 'payout_not_found', 'payout_not_releasable')
  @ApiOkResponse({ type: OperatorPayoutView })
  async release(
    @ActingOperator() { name }: Operator,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<OperatorPayoutView> {
    return operatorPayoutView(await this.operate.release(name, id));
  }

  @Post('payouts/:id/look')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Have a payout looked at now: its rail is asked, or it is sent if it waits for that', {
    addition: true,
    description: 'Answers at once, and does no harm: it is what happens anyway when its turn comes.',
  })
  @Refuses('invalid_request', 'payout_not_found', 'illegal_transition')
  @ApiOkResponse({ type: OperatorPayoutView })
  async look(
    @ActingOperator() { name }: Operator,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<OperatorPayoutView> {
    return operatorPayoutView(await this.operate.look(name, id));
  }

  @Post('payouts/:id/retry')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Try a payout again that failed for a passing cause', { addition: true })
  @Refuses('invalid_request', 'payout_not_found', 'payout_not_retryable')
  @ApiOkResponse({ type: OperatorPayoutView })
  async retry(
    @ActingOperator() { name }: Operator,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<OperatorPayoutView> {
    return operatorPayoutView(await this.operate.retry(name, id));
  }

  @Post('payouts/:id/fail')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Give up a payout that has not left, or that failed', {
    addition: true,
    description:
      'For operators what `cancel` is for a caller, and more: it may be held, authorized or failed, and its rail need not say that nothing of it moved.',
  })
  @Refuses('invalid_request', 'payout_not_found', 'illegal_transition')
  @ApiOkResponse({ type: OperatorPayoutView })
  async fail(
    @ActingOperator() { name, role }: Operator,
    @IdParam('payout_not_found') id: string,
    @Body() { reason = null, neverSeen = false }: GiveUpBody,
  ): Promise<OperatorPayoutView> {
    if (neverSeen && role !== 'admin') throw new Refusal('insufficient_role', '`neverSeen` needs the role admin.');
    return operatorPayoutView(await this.operate.fail(name, id, { why: reason, neverSeen }));
  }
}

/** A search that no index serves is allowed only among few. */
function refuseUnbounded({ amountCents, reasonCode, clientId, payeeId, createdFrom }: SearchPayoutsQuery): void {
  // Of a word that is misspelt nothing is found, and that would be told as if there was none.
  if (reasonCode !== undefined && !isHolding(reasonCode) && !Object.hasOwn(REASONS, reasonCode))
    throw invalidField('reasonCode', 'must be the code of a reason; docs/reasons.md lists them');
  if (clientId || payeeId || createdFrom) return;
  const unbounded =
    amountCents !== undefined ? 'amountCents' : reasonCode && !isOfHeldAlone(reasonCode) && 'reasonCode';
  if (unbounded)
    throw new Refusal('invalid_request', `Say with \`${unbounded}\` of which client or payee, or \`createdFrom\`.`);
}

/** A rail that is not carried here fails a payout too. */
const isOfHeldAlone = (code: string): boolean => Object.hasOwn(REASONS, code) && isHolding(code);
