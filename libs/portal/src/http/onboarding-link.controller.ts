import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, Refuses, Scope } from '#libs/http-kit';
import { IssueOnboardingLink } from '../use-cases/issue-onboarding-link';
import { OnboardingLinkBody, OnboardingLinkView, onboardingLinkView } from './onboarding-link.dto';

@ApiTags('Payees')
@Controller('api/v1/payees')
export class OnboardingLinkController {
  constructor(private readonly issue: IssueOnboardingLink) {}

  @Post(':id/onboarding-link')
  @HttpCode(200)
  @Scope('onboarding:write')
  @Describe('Make a link to the page on which a payee gets ready to be paid')
  @Refuses('invalid_request', 'invalid_return_url', 'payee_not_found')
  @ApiOkResponse({ type: OnboardingLinkView })
  async create(
    @Caller() client: Client,
    @IdParam('payee_not_found') id: string,
    @Body() { returnUrl, mode = 'redirect' }: OnboardingLinkBody,
  ): Promise<OnboardingLinkView> {
    return onboardingLinkView(await this.issue.run(client, id, { returnUrl, mode }));
  }
}
