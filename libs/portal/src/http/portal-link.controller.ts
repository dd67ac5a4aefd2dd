import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, IdParam, NoBody, NoQuery, Refuses, Scope } from '#libs/http-kit';
import { SendPortalLink } from '../use-cases/send-portal-link';
import { PortalLinkView } from './portal-link.dto';

@ApiTags('Payees')
@Controller('api/v1/payees')
export class PortalLinkController {
  constructor(private readonly links: SendPortalLink) {}

  @Post(':id/portal-link')
  @HttpCode(200)
  @Scope('portal:write')
  @Describe('Mail a payee a link into their wallet', {
    description:
      "It goes to the payee's own address and stands in no answer. It works once; three links in ten minutes are the most.",
  })
  @Refuses('invalid_request', 'payee_not_found', 'payee_cooling_down', 'payee_email_missing')
  @ApiOkResponse({ type: PortalLinkView })
  async create(
    @Caller() client: Client,
    @IdParam('payee_not_found') id: string,
    @Body() _: NoBody,
    @Query() __: NoQuery,
  ): Promise<PortalLinkView> {
    return { sent: true, expiresAt: (await this.links.run(client, id)).toISOString() };
  }
}
