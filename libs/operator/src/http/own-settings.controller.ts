/**
 * What clients change about themselves: where they are told, and who gets in. A leaked key must not be enough for that, so both
 * scopes are given to nobody by default, and version 1 of the signature is not taken. Every change is in the audit log.
 */
import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Put, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { invalidField } from '#libs/domain';
import { type Asker, Asking, Caller } from '#libs/auth';
import { type Client, ENDED_KEYS_LISTED } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { Describe, type GatewayRequest, IdParam, Refuses, Scope, singleHeader } from '#libs/http-kit';
import { checkWebhookUrl } from '#libs/webhooks';
import { ChangeClient } from '../use-cases/change-client';
import { OwnKeys } from '../use-cases/own-keys';
import { IssuedKeyView, KeyView, keyView } from './client.view';
import { OverlapBody } from './clients.dto';
import { OwnKeysView, WebhookBody, WebhookView } from './own-settings.dto';

const V2 = { needsV2: true };

@ApiTags('Your settings')
@Controller('api/v1')
export class OwnSettingsController {
  constructor(
    private readonly change: ChangeClient,
    private readonly keys: OwnKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'production'>,
  ) {}

  @Get('webhook')
  @Scope('webhooks:write', V2)
  @Describe('Read where your events are sent', { addition: true })
  @ApiOkResponse({ type: WebhookView })
  webhook(@Caller() client: Client): WebhookView {
    return webhookView(client);
  }

  @Put('webhook')
  @Scope('webhooks:write', V2)
  @Describe('Change where your events are sent', { addition: true })
  @Refuses('invalid_request')
  @ApiOkResponse({ type: WebhookView })
  async setWebhook(
    @Caller() client: Client,
    @Asking() asker: Asker,
    @Body() { url, eventTypes }: WebhookBody,
  ): Promise<WebhookView> {
    const trouble = url ? checkWebhookUrl(url, this.config.production) : null;
    if (trouble || url === '') throw invalidField('url', trouble ?? 'must not be empty; null sends events nowhere');
    return webhookView(await this.change.run(asker, client.id, { webhookUrl: url, eventTypes }));
  }

  @Get('keys')
  @Scope('keys:write', V2)
  @Describe('List your API keys, without the keys themselves', {
    addition: true,
    description: `All that are good, and the latest ${ENDED_KEYS_LISTED} of those that ended.`,
  })
  @ApiOkResponse({ type: OwnKeysView })
  async list(@Caller() client: Client, @Req() request: GatewayRequest): Promise<OwnKeysView> {
    const mine = await this.keys.list(client.id, keyOf(request));
    return { data: mine.map(({ inUse, ...key }) => ({ ...keyView(key), inUse })), nextCursor: null };
  }

  @Post('keys')
  @Scope('keys:write', V2)
  @Describe('Make a new API key; the old ones work until the overlap ends', {
    addition: true,
    description: 'The key is shown this once. Without `overlapSeconds` the old ones end at once.',
  })
  @Refuses('invalid_request')
  @ApiCreatedResponse({ type: IssuedKeyView })
  rotate(
    @Caller() client: Client,
    @Asking() asker: Asker,
    @Body() { overlapSeconds = 0 }: OverlapBody,
  ): Promise<IssuedKeyView> {
    return this.keys.rotate(asker, client.id, overlapSeconds);
  }

  @Delete('keys/:id')
  @HttpCode(200)
  @Scope('keys:write', V2)
  @Describe('Revoke one of your API keys at once', { addition: true })
  @Refuses('key_not_found', 'illegal_transition')
  @ApiOkResponse({ type: KeyView })
  async revoke(
    @Caller() client: Client,
    @Asking() asker: Asker,
    @Req() request: GatewayRequest,
    @IdParam('key_not_found') id: string,
  ): Promise<KeyView> {
    return keyView(await this.keys.revoke(asker, client.id, { keyId: id, usedKey: keyOf(request) }));
  }
}

const webhookView = ({ webhookUrl, eventTypes }: Client): WebhookView => ({ url: webhookUrl, eventTypes });

const keyOf = (request: GatewayRequest): string => (singleHeader(request, 'authorization') ?? '').split(' ')[1] ?? '';
