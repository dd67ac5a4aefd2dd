import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, Refuses, Scope } from '#libs/http-kit';
import { SetTestOnboarding } from '../use-cases/set-test-onboarding';
import { PayeeView, payeeView } from './payee.view';
import { TestOnboardingBody } from './payees.dto';

@ApiTags('Test mode')
@Controller('api/v1/test/payees')
export class TestPayeesController {
  constructor(private readonly onboarding: SetTestOnboarding) {}

  @Post(':id/onboarding')
  @HttpCode(200)
  @Scope('onboarding:write')
  @Describe("Finish a payee's onboarding with this outcome", { addition: true })
  @Refuses('invalid_request', 'payee_not_found')
  @ApiOkResponse({ type: PayeeView })
  async finish(
    @Caller() client: Client,
    @IdParam('payee_not_found') id: string,
    @Body() body: TestOnboardingBody,
  ): Promise<PayeeView> {
    return payeeView(await this.onboarding.run(client, id, body.outcome, body.reason ?? null));
  }
}
