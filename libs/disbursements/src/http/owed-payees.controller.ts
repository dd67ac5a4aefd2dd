/** What a payee is owed and what it comes to, under the payee's own path. */
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import { ClaimLinks } from '#libs/claim-links';
import type { Client } from '#libs/clients';
import { Describe, IdParam, NoBody, NoQuery, Refuses, Scope } from '#libs/http-kit';
import { ReadBalance } from '../use-cases/read-balance';
import { ReleaseOwed } from '../use-cases/release-owed';
import { BalanceView, WithdrawView, withdrawView } from './disbursement.view';
import { BalanceQuery } from './disbursements.dto';

@ApiTags('Payees')
@Controller('api/v1/payees')
export class OwedPayeesController {
  constructor(
    private readonly owed: ReleaseOwed,
    private readonly balances: ReadBalance,
    private readonly links: ClaimLinks,
  ) {}

  @Get(':id/balance')
  @Scope('payees:read')
  @Describe("What a payee's money comes to", { description: 'Every cent stands in one place, by currency.' })
  @Refuses('invalid_request', 'payee_not_found')
  @ApiOkResponse({ type: BalanceView })
  balance(
    @Caller() client: Client,
    @IdParam('payee_not_found') id: string,
    @Query() { currency }: BalanceQuery,
  ): Promise<BalanceView> {
    return this.balances.run(client, id, currency ?? null);
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @Scope('disbursements:write', { evenClosed: true })
  @Describe('Release everything a payee is owed', {
    description:
      'As one payout per currency. When the bank sends it back, what it did not keep is owed anew, as `return:<transactionId>`.',
  })
  @Refuses(
    'invalid_request',
    'payee_not_found',
    'payer_not_found',
    'withdrawals_disabled',
    'payee_not_payable',
    'nothing_to_withdraw',
    'below_minimum_withdrawal',
    'above_maximum_withdrawal',
    'withdrawal_frequency_limited',
  )
  @ApiOkResponse({ type: WithdrawView })
  async withdraw(
    @Caller() client: Client,
    @IdParam('payee_not_found') id: string,
    @Body() _: NoBody,
    @Query() __: NoQuery,
  ): Promise<WithdrawView> {
    return withdrawView(await this.owed.withdraw(client, id, 'withdraw', 'client'), this.links);
  }
}
