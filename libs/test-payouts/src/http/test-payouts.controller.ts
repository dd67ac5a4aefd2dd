import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, NoBody, Refuses, Scope } from '#libs/http-kit';
import { TransactionView, transactionView } from '#libs/payouts';
import type { OutcomeFact } from '#libs/rail-kit';
import { DirectTestPayout } from '../use-cases/direct-test-payout';
import { ClaimPayoutBody, FailPayoutBody, ReturnPayoutBody } from './test-payouts.dto';

@ApiTags('Test mode')
@Controller('api/v1/test/payouts')
export class TestPayoutsController {
  constructor(private readonly test: DirectTestPayout) {}

  @Post(':id/claim')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Claim a payout that waits for its payee', {
    description:
      'As its payee would. What waits in a wallet of theirs is on its way to `destination` from then on. A payee who has to be checked first, and has not begun that, is cleared on the way.',
  })
  @Refuses(
    ...(['invalid_request', 'payout_not_found', 'illegal_transition'] as const),
    ...(['destination_refused', 'destination_fixed', 'payee_not_checked', 'payee_not_payable'] as const),
    'service_unavailable',
  )
  @ApiOkResponse({ type: TransactionView })
  async claim(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() { destination }: ClaimPayoutBody,
  ): Promise<TransactionView> {
    return transactionView(await this.test.claim(client, id, destination), client.statusVersion);
  }

  @Post(':id/settle')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Settle a submitted payout', { addition: true })
  @Refuses('invalid_request', 'payout_not_found', 'illegal_transition')
  @ApiOkResponse({ type: TransactionView })
  settle(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<TransactionView> {
    return this.direct(client, id, 'settle', { kind: 'settled' });
  }

  @Post(':id/fail')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Fail a submitted payout', { addition: true })
  @Refuses('invalid_request', 'payout_not_found', 'illegal_transition')
  @ApiOkResponse({ type: TransactionView })
  fail(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() { kind }: FailPayoutBody,
  ): Promise<TransactionView> {
    return this.direct(client, id, 'refuse', { kind: 'refused', failure: kind, reason: 'failed by a test' });
  }

  @Post(':id/return')
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Send a paid payout back', { addition: true })
  @Refuses('invalid_request', 'payout_not_found', 'illegal_transition')
  @ApiOkResponse({ type: TransactionView })
  bounce(
    @Caller() client: Client,
    @IdParam('payout_not_found') id: string,
    @Body() body: ReturnPayoutBody,
  ): Promise<TransactionView> {
    return this.direct(client, id, 'bounce', { kind: 'bounced', feeCents: body.liftingFeeCents ?? 0 });
  }

  private async direct(
    client: Client,
    id: string,
    on: 'settle' | 'refuse' | 'bounce',
    outcome: OutcomeFact,
  ): Promise<TransactionView> {
    return transactionView(await this.test.run(client, id, on, outcome), client.statusVersion);
  }
}
