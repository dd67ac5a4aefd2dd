/** What a caller can do about a payout that has not ended: let it go on, try it again, take it back. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Refusal } from '#libs/domain';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, NoBody, Refuses, Scope } from '#libs/http-kit';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { CancelPayout } from '../use-cases/cancel-payout';
import { RemedyPayout } from '../use-cases/remedy-payout';
import { TransactionView, transactionView } from './payout.view';

@ApiTags('Payouts')
@Controller('api/v1/payouts')
export class RemediesController {
  constructor(
    private readonly remedies: RemedyPayout,
    private readonly cancelling: CancelPayout,
    private readonly reads: PayoutReads,
  ) {}

  @Post(':id/release')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Put a held payout to its gates again')
  @Refuses('invalid_request', 'payout_not_found', 'payout_not_releasable')
  @ApiOkResponse({ type: TransactionView })
  async release(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<TransactionView> {
    const payout = await this.remedies.release(await this.owned(client, id), 'client');
    return transactionView(payout, client.statusVersion);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Try a payout again that failed for a passing cause')
  @Refuses('invalid_request', 'payout_not_found', 'payout_not_retryable')
  @ApiOkResponse({ type: TransactionView })
  async retry(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<TransactionView> {
    const payout = await this.remedies.retry(await this.owned(client, id), 'client');
    return transactionView(payout, client.statusVersion);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Take back a payout that has not left', {
    addition: true,
    description:
      'It ends as `failed` with `cancelled_by_client`; what it was to pay of owed rows is owed again, and leaves by a withdrawal only. One that is cancelled already is answered as it is.',
  })
  @Refuses('invalid_request', 'payout_not_found', 'payout_not_cancellable')
  @ApiOkResponse({ type: TransactionView })
  async cancel(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<TransactionView> {
    const payout = await this.cancelling.run(await this.owned(client, id));
    return transactionView(payout, client.statusVersion);
  }

  private async owned(client: Client, id: string): Promise<Payout> {
    const payout = await this.reads.findOf(client.id, id);
    if (!payout) throw new Refusal('payout_not_found');
    return payout;
  }
}
