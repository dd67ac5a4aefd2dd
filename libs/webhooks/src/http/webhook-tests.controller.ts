import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller } from '#libs/auth';
import type { Client } from '#libs/clients';
import { Describe, NoBody, Refuses, Scope } from '#libs/http-kit';
import { SendPing } from '../use-cases/send-ping';
import { WebhookTestView, webhookTestView } from './webhook-test.view';

@ApiTags('Events')
@Controller('api/v1/webhook-test')
export class WebhookTestsController {
  constructor(private readonly ping: SendPing) {}

  @Post()
  @HttpCode(200)
  @Scope('payouts:write')
  @Describe('Send a signed ping to your webhook URL', {
    addition: true,
    description:
      'It goes the way of every event, once, and is not recorded: `{ type: "ping", eventId, sequence: 0, occurredAt }`. ' +
      'The answer is 200 whatever came back. A receiver that was left alone because it kept failing, and acknowledges ' +
      'the ping, gets what waited for it.',
  })
  @Refuses('webhook_url_missing')
  @ApiOkResponse({ type: WebhookTestView })
  async create(@Caller() client: Client, @Body() _: NoBody): Promise<WebhookTestView> {
    return webhookTestView(await this.ping.run(client));
  }
}
